"""The one repair of Markdown dialect: which `*` emphasis may become strong without changing what a reply means."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, pairwise, zip_longest
from typing import TYPE_CHECKING

import pyromark

from pytest_llmout.outputs.bare_urls import bare_urls
from pytest_llmout.outputs.markdown_tree import covers, read_trees

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_llmout.outputs.markdown_tree import Span, Tree

_SEARCH_BUDGET = 250_000
"""Characters that one pass of the search parses at most, unless a text is so long that eight steps parse more."""
FEWEST_PLACES = 8
"""How many places of a block are searched at least, however long the text is."""


@dataclass(frozen=True, slots=True)
class Before:
    """What stood before a text that is parsed without it."""

    size: int = 0
    """Its characters other than `*`."""
    one_by_one: bool = False
    """Whether its candidates do not hold all together."""


NOTHING = Before()


def promoted_emphasis(text: str, *, before: Before = NOTHING) -> list[Span]:
    """Return the emphasis nodes to promote, in order, as byte ranges.

    All candidates are tried together; if a tree moves, `search` finds those that hold.
    """
    if not may_hold_emphasis(text):
        return []
    reading = read(text)
    blocks = candidates(reading)
    together = [span for block in blocks for span in block.values()]
    if not together or (not before.one_by_one and reading.hold_together(together)):
        return together
    size = before.size + len(text) - text.count("*")
    return search(reading, blocks, max(FEWEST_PLACES, _SEARCH_BUDGET // (size + 1)))


def may_hold_emphasis(text: str) -> bool:
    """Whether promotion has anything to look at; says no only if CommonMark sees no `*` emphasis in the text.

    Runs of even length make none, since every match takes two from either side, unless a backslash splits one. For the
    rest, rendering is the parser's fastest way to tell.
    """
    if "*" not in text.replace("**", "") and "\\*" not in text:
        return False
    return "<em>" in pyromark.html(text)


@dataclass(frozen=True, slots=True)
class Reading:
    """A text as both dialects read it."""

    text: str
    data: bytes
    commonmark: Tree
    gfm: Tree

    def hold_together(self, chosen: list[Span]) -> bool:
        """Whether both trees are the originals with exactly these nodes strong, once they are promoted."""
        edited, spans = self._promoting(chosen), set(chosen)
        return all(tree.renders_with(edited, spans) or not tree.moved_by(edited, spans) for tree in self._trees())

    def moved_by(self, chosen: set[Span]) -> set[Span]:
        """Return those spans in whose block a tree is not the original with exactly these nodes strong."""
        edited = self._promoting(chosen)
        moved: set[Span] = set()
        for tree in self._trees():
            if moved != chosen:
                moved |= tree.moved_by(edited, chosen)
        return moved

    def _trees(self) -> list[Tree]:
        return [self.commonmark] if self.gfm is self.commonmark else [self.commonmark, self.gfm]

    def _promoting(self, spans: Iterable[Span]) -> str:
        cuts = [0, *sorted(chain.from_iterable(spans)), len(self.data)]
        return b"*".join([self.data[start:end] for start, end in pairwise(cuts)]).decode()


def read(text: str) -> Reading:
    """Parse a text in both dialects."""
    return Reading(text, text.encode(), *read_trees(text))


def search(reading: Reading, blocks: list[dict[int, Span]], places: int) -> list[Span]:
    """Try the candidates of each block from left to right, keeping each with which the trees hold.

    A step tries the next candidate of every block at once, since no emphasis reaches from one block into another.
    A candidate that failed may hold once a later one is kept (`*a***b****a***b****c*`), so passes are made until one
    keeps nothing. In each block only the first places are searched; their number, like the places themselves, does not
    change with promotion. Both together make the result a fixed point.
    """
    waiting = [[span for place, span in block.items() if place < places] for block in blocks]
    kept: set[Span] = set()
    while waiting:
        for step in zip_longest(*waiting):
            tried = {span for span in step if span}
            kept |= tried - reading.moved_by(kept | tried)
        waiting = [[span for span in block if span not in kept] for block in waiting if not kept.isdisjoint(block)]
    return sorted(kept)


def candidates(reading: Reading) -> list[dict[int, Span]]:
    """Return the nodes that qualify, by the block that CommonMark sees them in and their place among its lone nodes."""
    urls = bare_urls(reading.text)
    blocks = (
        {place: span for place, span in enumerate(spans) if _qualifies(span, reading, urls)}
        for spans in reading.commonmark.lone_by_leaf()
    )
    return [block for block in blocks if block]


def _qualifies(span: Span, reading: Reading, urls: list[Span]) -> bool:
    start, end = span
    return (
        reading.data.startswith(b"*", start)
        and not reading.data.startswith(b"**", start)
        and reading.commonmark.is_emphasis(span)
        and reading.gfm.is_emphasis(span)
        and not (covers(urls, start) or covers(urls, end - 1))
    )
