"""A Markdown text as a parser reads it: its tree, the leaf blocks, and the emphasis nodes that stand alone in them."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, replace
from itertools import groupby, pairwise, zip_longest
from operator import itemgetter
from typing import TYPE_CHECKING

import pyromark
from pyromark import Options

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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

# Every syntax of the extensions holds one of these; where none stands, both dialects read the same.
_EXTENSION_SIGNS = frozenset("|~$[")
# Where a rendering may hide or pretend something: raw HTML, the description of an image, the label of a reference.
_HIDING = ("<", "![", "]:")

_SURROGATE = re.compile("[\ud800-\udfff]")
_STAND_IN = "\ue000"  # private use: like a surrogate, neither space nor punctuation
_LONE_RETURN = re.compile(r"\r(?!\n)")
INLINE = frozenset({"Emphasis", "Strong", "Strikethrough", "Link", "Image"})
"""The nodes that no block begins or ends with."""
_COUNTED = frozenset({"Emphasis", "Strong", "Image"})

Span = tuple[int, int]
"""A range of UTF-8 bytes of the text: where it starts, and where it has ended."""


def encodable(raw: str) -> str:
    """Return the text as the parser is to read it; offsets in characters stay.

    U+E000 stands for each lone surrogate. A lone carriage return is a line feed: CommonMark ends a line at either, the
    parser, in blocks of code and HTML, only at the second.
    """
    text = _LONE_RETURN.sub("\n", raw) if "\r" in raw else raw
    try:
        text.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub(_STAND_IN, text)
    return text


def covers(spans: Sequence[Span], offset: int) -> bool:
    """Whether one of these ranges, sorted and apart from each other, holds this byte."""
    before = bisect_right(spans, offset, key=itemgetter(0))
    return before > 0 and offset < spans[before - 1][1]


@dataclass(frozen=True, slots=True)
class Tree:
    """All that a parser says of a text in one dialect.

    A leaf is an event that starts or ends a block, with the inline events up to the next such event.
    """

    text: str
    dialect: Options
    events: list[Event]
    leaves: list[int]
    """The place of the first event of each leaf."""
    starts: list[int]
    """Where that event starts, in bytes."""
    ends: list[int]
    """Where the last event of each leaf ends, in bytes."""
    lone: dict[Span, tuple[int, int]]
    """Each emphasis or strong that is neither inside nor around another one, nor in an image description, with the
    places of its start and end; in the order of the text."""

    def is_emphasis(self, span: Span) -> bool:
        """Whether this is a lone node, and an emphasis."""
        places = self.lone.get(span)
        return places is not None and self.events[places[0]] == {"Start": "Emphasis"}

    def leaf_of(self, span: Span) -> int:
        """Return which leaf a lone node is in."""
        return bisect_right(self.leaves, self.lone[span][0]) - 1

    def lone_by_leaf(self) -> list[list[Span]]:
        """Return the lone nodes of each leaf that has some."""
        return [list(spans) for _, spans in groupby(self.lone, self.leaf_of)]

    def renders_with(self, edited: str, chosen: set[Span]) -> bool:
        """Whether renderings prove that the tree of an edited text is this one with just these nodes strong.

        They can where all emphasis is chosen and every tag stands for a node, and take a third of the time.
        """
        if any(sign in self.text for sign in _HIDING):
            return False
        html = pyromark.html(self.text, options=self.dialect)
        if html.count("<em>") != len(chosen):
            return False
        expected = html.replace("<em>", "<strong>").replace("</em>", "</strong>")
        return pyromark.html(edited, options=self.dialect) == expected

    def moved_by(self, edited: str, chosen: set[Span]) -> set[Span]:
        """Return those spans in whose leaf the tree of an edited text is not this one with just these nodes strong."""
        found = list(pyromark.events(edited, options=self.dialect))
        expected = self._promoting(chosen)
        if found == expected:
            return set()
        by_leaf: dict[int, set[Span]] = {}
        for span in chosen:
            by_leaf.setdefault(self.leaf_of(span), set()).add(span)
        if len(by_leaf) == 1:
            return chosen
        moved: set[Span] = set()
        leaves = zip_longest(_cut(expected, self.leaves), _cut(found, _leaves(found)))
        for leaf, (was, now) in enumerate(leaves):
            if was is None or now is None:
                return chosen
            if was != now:
                moved |= by_leaf.get(leaf, chosen)
        return moved

    def _promoting(self, spans: Iterable[Span]) -> list[Event]:
        events = self.events.copy()
        for span in spans:
            start, end = self.lone[span]
            events[start], events[end] = {"Start": "Strong"}, {"End": "Strong"}
        return events


def read_trees(text: str) -> tuple[Tree, Tree]:
    """Parse a text in both dialects, CommonMark first; the very same tree where no text with its signs can differ."""
    commonmark = read_tree(text, COMMONMARK)
    if _EXTENSION_SIGNS.isdisjoint(text):
        return commonmark, commonmark
    if list(pyromark.events(text, options=GFM)) == commonmark.events:
        # Whatever the extensions read for themselves shows in an event, so here they read nothing.
        return commonmark, replace(commonmark, dialect=GFM)
    return commonmark, read_tree(text, GFM)


def read_tree(text: str, dialect: Options) -> Tree:
    """Parse a text."""
    tree = Tree(text, dialect, [], [0], [0], [], {})
    nodes, past = _OpenNodes(), 0
    for place, (event, where) in enumerate(pyromark.events_with_range(text, options=dialect, merge_text=True)):
        tree.events.append(event)
        if name := node_name(event):
            if name not in INLINE:
                tree.leaves.append(place)
                tree.starts.append(where["start"])
                tree.ends.append(past)
            elif "Start" in event:
                nodes.open(name, place)
            elif nodes.close(name):
                tree.lone[where["start"], where["end"]] = (nodes.outermost, place)
        past = where["end"]
    tree.ends.append(past)
    return tree


def _leaves(events: list[Event]) -> list[int]:
    return [0, *(place for place, event in enumerate(events) if (name := node_name(event)) and name not in INLINE)]


def _cut(events: list[Event], leaves: list[int]) -> list[list[Event]]:
    return [events[first:past] for first, past in pairwise([*leaves, len(events)])]


@dataclass(slots=True)
class _OpenNodes:
    """What the walk is inside of."""

    depth: int = 0
    """How many emphasis, strong and image nodes."""
    outermost: int = 0
    """Where the outermost of these starts."""
    alone: bool = False
    """Whether it is no image, and no other emphasis or strong was met inside it."""

    def open(self, name: str, place: int) -> None:
        if name not in _COUNTED:
            return
        if self.depth == 0:
            self.outermost, self.alone = place, name != "Image"
        elif name != "Image":
            self.alone = False
        self.depth += 1

    def close(self, name: str) -> bool:
        """Return whether this was the end of a lone emphasis or strong."""
        if name not in _COUNTED:
            return False
        self.depth -= 1
        return self.depth == 0 and self.alone


def node_name(event: Event) -> str:
    """Return the name of the node that an event starts or ends, or nothing."""
    if isinstance(event, str) or "Text" in event:
        return ""
    tag = event.get("Start") or event.get("End")
    if isinstance(tag, dict):  # a name alone, or the key of attributes
        return str(next(iter(tag)))
    return str(tag) if tag else ""
