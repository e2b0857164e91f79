"""A Markdown text as a parser reads it: leaf blocks, and the emphasis nodes that stand alone in them."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from operator import itemgetter
from typing import TYPE_CHECKING

import pyromark
from pyromark import Options

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from pyromark.event import Event

# What the surfaces that show replies read: the specification, and the extensions that chat surfaces add.
COMMONMARK = Options(0)
GFM = (
    Options.ENABLE_TABLES
    | Options.ENABLE_STRIKETHROUGH
    | Options.ENABLE_FOOTNOTES
    | Options.ENABLE_TASKLISTS
    | Options.ENABLE_MATH
)

_INLINE = frozenset({"Emphasis", "Strong", "Strikethrough", "Link", "Image"})

Span = tuple[int, int]
"""A range of UTF-8 bytes of the text: where it starts, and where it has ended."""


def covers(spans: Sequence[Span], offset: int) -> bool:
    """Whether one of these ranges, sorted and apart from each other, holds this byte."""
    before = bisect_right(spans, offset, key=itemgetter(0))
    return before > 0 and offset < spans[before - 1][1]


@dataclass(slots=True)
class Leaf:
    """A block's own event and the inline events up to the next block's."""

    events: list[Event] = field(default_factory=list)
    lone: dict[Span, tuple[int, int]] = field(default_factory=dict)
    """Each emphasis or strong that is neither inside nor around another one, nor in an image description, with the
    places in `events` where it starts and ends; in the order of the text."""
    texts: list[Span] = field(default_factory=list)
    """Where its text stands, without code spans, HTML, mathematics, and all that is inside links and images."""
    end: int = 0
    """Where its last event ends, in bytes."""

    def promoting(self, spans: AbstractSet[Span]) -> list[Event]:
        """Return the events this leaf would have with these emphasis nodes strong."""
        events = self.events.copy()
        for span, (start, end) in self.lone.items():
            if span in spans:
                events[start], events[end] = {"Start": "Strong"}, {"End": "Strong"}
        return events

    def is_emphasis(self, span: Span) -> bool:
        """Whether this lone node is an emphasis, not a strong."""
        return self.events[self.lone[span][0]] == {"Start": "Emphasis"}


def read_leaves(text: str, dialect: Options) -> Iterator[Leaf]:
    """Parse a text and stream its leaves; their events, one after the other, are the whole tree."""
    leaf, nodes = Leaf(), _OpenNodes()
    for event, byte_range in pyromark.events_with_range(text, options=dialect, merge_text=True):
        span = (byte_range["start"], byte_range["end"])
        match event:
            case {"Text": _}:
                if not nodes.links:
                    leaf.texts.append(span)
            case {"Start": tag} if (name := _name(tag)) in _INLINE:
                nodes.open(name, len(leaf.events))
            case {"End": str(name)} if name in _INLINE:
                if nodes.close(name):
                    leaf.lone[span] = (nodes.outermost, len(leaf.events))
            case {"Start": _} | {"End": _}:
                yield leaf
                leaf = Leaf()
        leaf.events.append(event)
        leaf.end = span[1]
    yield leaf


@dataclass(slots=True)
class _OpenNodes:
    """What the walk is inside of."""

    links: int = 0
    """How many links and images."""
    depth: int = 0
    """How many emphasis, strong and image nodes."""
    outermost: int = 0
    """Where the outermost of these starts."""
    alone: bool = False
    """Whether it is no image, and no other emphasis or strong was met inside it."""

    def open(self, name: str, place: int) -> None:
        self.links += name in ("Link", "Image")
        if name not in ("Emphasis", "Strong", "Image"):
            return
        if self.depth == 0:
            self.outermost, self.alone = place, name != "Image"
        elif name != "Image":
            self.alone = False
        self.depth += 1

    def close(self, name: str) -> bool:
        """Return whether this was the end of a lone emphasis or strong."""
        self.links -= name in ("Link", "Image")
        if name not in ("Emphasis", "Strong", "Image"):
            return False
        self.depth -= 1
        return self.depth == 0 and self.alone


def _name(tag: object) -> str:
    """Return the name of a tag, which the parser gives alone or as the key of its attributes."""
    return next(iter(tag)) if isinstance(tag, dict) else str(tag)
