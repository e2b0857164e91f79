"""A Markdown text as a parser reads it: its tree, the leaf blocks, and the emphasis nodes that stand alone in them."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from operator import itemgetter
from typing import TYPE_CHECKING

import pyromark
from pyromark import Options

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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

_SURROGATE = re.compile("[\ud800-\udfff]")
_STAND_IN = "\ue000"  # private use: like a surrogate, neither space nor punctuation
_INLINE = frozenset({"Emphasis", "Strong", "Strikethrough", "Link", "Image"})

Span = tuple[int, int]
"""A range of UTF-8 bytes of the text: where it starts, and where it has ended."""


def encodable(raw: str) -> str:
    """Return the text as a parser can read it, with U+E000 for each lone surrogate; offsets in characters stay."""
    try:
        raw.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub(_STAND_IN, raw)
    return raw


def covers(spans: Sequence[Span], offset: int) -> bool:
    """Whether one of these ranges, sorted and apart from each other, holds this byte."""
    before = bisect_right(spans, offset, key=itemgetter(0))
    return before > 0 and offset < spans[before - 1][1]


@dataclass(slots=True)
class Leaf:
    """A block's own event and the inline events up to the next block's."""

    first: int
    """The place of its first event in the tree."""
    start: int
    """Where that event starts, in bytes."""
    past: int = 0
    """The place behind its last event."""
    lone: dict[Span, tuple[int, int]] = field(default_factory=dict)
    """Each emphasis or strong that is neither inside nor around another one, nor in an image description, with the
    places of its start and end in the tree; in the order of the text."""
    texts: list[Span] = field(default_factory=list)
    """Where its text stands, without code spans, HTML, mathematics, and all that is inside links and images."""
    end: int = 0
    """Where its last event ends, in bytes."""


@dataclass(frozen=True, slots=True)
class Tree:
    """All that a parser says of a text in one dialect."""

    dialect: Options
    events: list[Event]
    leaves: list[Leaf]

    def is_emphasis(self, leaf: Leaf, span: Span) -> bool:
        """Whether this lone node is an emphasis, not a strong."""
        return self.events[leaf.lone[span][0]] == {"Start": "Emphasis"}

    def moved_by(self, edited: str, chosen: set[Span]) -> set[Span]:
        """Return those spans in whose leaf the tree of an edited text is not this one with just these nodes strong."""
        expected = self._promoting(chosen)
        found = list(pyromark.events(edited, options=self.dialect))
        if found == expected:
            return set()
        moved: set[Span] = set()
        for leaf, events in zip_longest(self.leaves, _split(found)):
            if leaf is None or events is None:
                return chosen
            if events != expected[leaf.first : leaf.past]:
                moved |= leaf.lone.keys() & chosen or chosen
        return moved

    def _promoting(self, spans: set[Span]) -> list[Event]:
        events = self.events.copy()
        for leaf in self.leaves:
            for span in leaf.lone.keys() & spans:
                start, end = leaf.lone[span]
                events[start], events[end] = {"Start": "Strong"}, {"End": "Strong"}
        return events


def read_trees(text: str) -> tuple[Tree, Tree]:
    """Parse a text in both dialects, CommonMark first."""
    commonmark = read_tree(text, COMMONMARK)
    if list(pyromark.events(text, options=GFM)) == commonmark.events:
        # Whatever the extensions read for themselves shows in an event, so here they read nothing.
        return commonmark, replace(commonmark, dialect=GFM)
    return commonmark, read_tree(text, GFM)


def read_tree(text: str, dialect: Options) -> Tree:
    """Parse a text."""
    events: list[Event] = []
    leaf, nodes = Leaf(0, 0), _OpenNodes()
    leaves = [leaf]
    for event, byte_range in pyromark.events_with_range(text, options=dialect, merge_text=True):
        span = (byte_range["start"], byte_range["end"])
        # Membership tests, where `match` would read better: it takes three times as long.
        if "Text" in event:
            if not nodes.links:
                leaf.texts.append(span)
        elif (name := node_name(event)) in _INLINE:
            if "Start" in event:
                nodes.open(name, len(events))
            elif nodes.close(name):
                leaf.lone[span] = (nodes.outermost, len(events))
        elif name:
            leaf.past = len(events)
            leaf = Leaf(len(events), span[0])
            leaves.append(leaf)
        events.append(event)
        leaf.end = span[1]
    leaf.past = len(events)
    return Tree(dialect, events, leaves)


def _split(events: list[Event]) -> Iterator[list[Event]]:
    """Cut a tree into its leaves."""
    first = 0
    for place, event in enumerate(events):
        if (name := node_name(event)) and name not in _INLINE:
            yield events[first:place]
            first = place
    yield events[first:]


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


def node_name(event: Event) -> str:
    """Return the name of the node that an event starts or ends, or nothing."""
    if isinstance(event, str):
        return ""
    tag = event.get("Start") or event.get("End")
    if isinstance(tag, dict):  # a name alone, or the key of attributes
        return str(next(iter(tag)))
    return str(tag) if tag else ""
