"""The one repair of Markdown dialect: which `*` emphasis may become strong without changing what a reply means."""

from __future__ import annotations

from itertools import chain, pairwise, zip_longest
from typing import TYPE_CHECKING

import pyromark

from pytest_llmout.outputs.bare_urls import bare_urls
from pytest_llmout.outputs.markdown_tree import COMMONMARK, GFM, covers, read_leaves

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from collections.abc import Set as AbstractSet

    from pytest_llmout.outputs.markdown_tree import Leaf, Span

_SEARCH_BUDGET = 1_000_000
"""Characters that one pass of the search parses at most, unless a text is so long that eight steps parse more."""


def promoted_emphasis(text: str) -> list[Span]:
    """Return the emphasis nodes to promote, in order, as byte ranges.

    All candidates are tried together; if a tree moves, `_search` finds those that hold.
    """
    if not _may_hold_emphasis(text):
        return []
    blocks = _candidates(text)
    together = [span for block in blocks for span in block.values()]
    if not together or not _moved(text, set(together)):
        return together
    return _search(text, blocks)


def _may_hold_emphasis(text: str) -> bool:
    """Whether promotion has anything to look at; rendering is the parser's fastest way to tell."""
    return "*" in text and "<em>" in pyromark.html(text)


def _search(text: str, blocks: list[dict[int, Span]]) -> list[Span]:
    """Try the candidates of each block from left to right, keeping each with which the trees hold.

    A step tries the next candidate of every block at once, since no emphasis reaches from one block into another.
    A candidate that failed may hold once a later one is kept (`*a***b****a***b****c*`), so passes are made until one
    keeps nothing. In each block only the first places are searched; their number, like the places themselves, does not
    change with promotion. Both together make the result a fixed point.
    """
    places = max(8, _SEARCH_BUDGET // (len(text) - text.count("*") + 1))
    waiting = [[span for place, span in block.items() if place < places] for block in blocks]
    kept: set[Span] = set()
    while waiting:
        for step in zip_longest(*waiting):
            tried = {span for span in step if span}
            kept |= tried - _moved(text, kept | tried)
        waiting = [[span for span in block if span not in kept] for block in waiting if not kept.isdisjoint(block)]
    return sorted(kept)


def _candidates(text: str) -> list[dict[int, Span]]:
    """Return the nodes that qualify, by the block that CommonMark sees them in and their place among its lone nodes."""
    data = text.encode()
    in_gfm = {span for leaf in read_leaves(text, GFM) if leaf.lone for span in _outside_urls(leaf, data)}
    blocks = (
        {
            place: span
            for place, span in enumerate(leaf.lone)
            if span in in_gfm and leaf.is_emphasis(span) and _is_single_asterisk(span, data)
        }
        for leaf in read_leaves(text, COMMONMARK)
    )
    return [block for block in blocks if block]


def _is_single_asterisk(span: Span, data: bytes) -> bool:
    return data.startswith(b"*", span[0]) and not data.startswith(b"**", span[0])


def _outside_urls(leaf: Leaf, data: bytes) -> Iterator[Span]:
    urls = list(bare_urls(leaf, data))
    for span in leaf.lone:
        if leaf.is_emphasis(span) and not covers(urls, span[0]) and not covers(urls, span[1] - 1):
            yield span


def _moved(text: str, chosen: AbstractSet[Span]) -> set[Span]:
    """Return those spans in whose block a tree is not the original with exactly these nodes strong."""
    edited = _insert_asterisks(text.encode(), chosen).decode()
    moved: set[Span] = set()
    for dialect in (COMMONMARK, GFM):
        for was, now in zip_longest(read_leaves(text, dialect), read_leaves(edited, dialect)):
            if was is None or now is None:
                return set(chosen)
            if now.events != was.promoting(chosen):
                moved |= {span for span in was.lone if span in chosen} or chosen
    return moved


def _insert_asterisks(data: bytes, spans: Collection[Span]) -> bytes:
    cuts = [0, *sorted(chain.from_iterable(spans)), len(data)]
    return b"*".join(data[start:end] for start, end in pairwise(cuts))
