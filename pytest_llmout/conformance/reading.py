"""A Markdown text as one parser reads it, in a form that all parsers share."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Event = tuple[str, str, object]
"""What happens (`open`, `close`, or the kind of an atom), to what or with which text, and the rest the parser says."""

Span = tuple[int, int]
"""A range of characters of the text: where it starts, and where it has ended."""

OPEN, CLOSE, TEXT = "open", "close", "text"
EMPHASIS, STRONG, IMAGE, LINK = "emphasis", "strong", "image", "link"


@dataclass(slots=True)
class Node:
    """An emphasis or strong node."""

    kind: str
    start: int
    """The place of its opening event in the leaf."""
    is_lone: bool
    """Whether it is neither inside nor around another one, nor in an image description."""
    end: int = 0
    """The place of its closing event in the leaf."""
    span: Span | None = None
    """Where it stands in the text, with its delimiters; `None` if the parser does not say."""


@dataclass
class Leaf:
    """A block's own event and the inline events up to the next block's; not changed once it is read."""

    events: list[Event] = field(default_factory=list)
    """The detail of an emphasis event is where its delimiter stands, if the parser says."""
    source: str = ""
    """The inline text that the parser read, if it says."""
    places: Sequence[int] = ()
    """Where in the whole text each character of `source` stands, if that is known."""

    def add_text(self, text: str) -> None:
        """Append text, to the text before it if there is some: parsers cut it at different places."""
        if self.events and self.events[-1][0] == TEXT:
            text = self.events.pop()[1] + text
        if text:
            self.events.append((TEXT, text, None))

    @cached_property
    def nodes(self) -> list[Node]:
        """The emphasis and strong nodes, in the order in which they start."""
        found: list[Node] = []
        is_open: list[Node] = []
        images = 0
        for place, (what, name, detail) in enumerate(self.events):
            if name == IMAGE:
                images += (what == OPEN) - (what == CLOSE)
            elif name in (EMPHASIS, STRONG) and what == OPEN:
                for around in is_open:
                    around.is_lone = False
                found.append(Node(name, place, not is_open and not images))
                is_open.append(found[-1])
            elif name in (EMPHASIS, STRONG) and what == CLOSE:
                node = is_open.pop()
                node.end, node.span = place, _span(self.events[node.start][2], detail)
        return found

    def promoting(self, ordinals: Iterable[int]) -> list[Event]:
        """Return the events this leaf would have if the nodes with these ordinals were strong."""
        events = self.bare.copy()
        for ordinal in ordinals:
            node = self.nodes[ordinal]
            events[node.start], events[node.end] = (OPEN, STRONG, None), (CLOSE, STRONG, None)
        return events

    @cached_property
    def bare(self) -> list[Event]:
        """The events without the places of delimiters, which an edit moves."""
        return [
            (what, name, None) if what in (OPEN, CLOSE) and name in (EMPHASIS, STRONG) else (what, name, detail)
            for what, name, detail in self.events
        ]

    @cached_property
    def outline(self) -> list[tuple[str, str]]:
        """What every parser says: the inline nodes and their text."""
        return [(what, name) for what, name, _ in self.events[1:]]


@dataclass(frozen=True, slots=True)
class Reading:
    """A whole text as one parser reads it."""

    leaves: list[Leaf]

    def events(self, *kinds: str) -> Iterator[Event]:
        """Yield the events that are of these kinds or concern what is named so, in order."""
        return (event for leaf in self.leaves for event in leaf.bare if event[0] in kinds or event[1] in kinds)


def _span(opened: object, closed: object) -> Span | None:
    return (opened, closed + 1) if isinstance(opened, int) and isinstance(closed, int) else None
