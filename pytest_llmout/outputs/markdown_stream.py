"""Canonical Markdown while the reply still arrives.

What is given out is never taken back, so a stretch of text is held until nothing that may follow can change what the
rule does in it. Text without `*` never changes. An emphasis is certain once

- its block is closed in both dialects, by a blank line or by a later block that a whole line has begun;
- the parser misses no reference definition in that block, since one may still follow;
- it holds alone just as together with all others, or one block is known in which they do not hold together. The rule
  promotes all candidates of a text together if it can, so a later block may yet decide which way an earlier one goes.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import chain
from typing import TYPE_CHECKING

import pyromark

from pytest_llmout.outputs.markdown_output import apply_edits, character_offsets, markdown_edits
from pytest_llmout.outputs.markdown_tree import COMMONMARK, encodable, node_name, read_tree
from pytest_llmout.outputs.promotion import FEWEST_PLACES, candidates, read, search

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pyromark.event import BrokenLink

    from pytest_llmout.outputs.markdown_output import Edit
    from pytest_llmout.outputs.markdown_tree import Leaf, Span, Tree
    from pytest_llmout.outputs.promotion import Reading

_ENDS_BLANK = re.compile(rb"(?:\A|\n)[ \t]*\r?\n\Z")
_BULLET = re.compile(rb"[ \t]*(\*)[ \t]+\**[^*\s]")
_REACHING = re.compile(rb"[`<\[\\]")
_LOOK_BACK = 5  # a bullet or a strong is settled by what follows it; looking for that only where it can be saves time
_VERBATIM = {"CodeBlock", "HtmlBlock"}


class MarkdownStream:
    """Turns a reply that arrives in pieces into canonical text.

    What `feed` and `close` return, put together, is the canonical form of all that was fed, however it was cut.
    """

    def __init__(self) -> None:
        self._text = ""
        self._given = 0  # characters of the text
        self._edits_given = 0

    @property
    def held(self) -> int:
        """How many characters of what was fed are held back."""
        return len(self._text) - self._given

    def feed(self, chunk: str) -> str:
        """Take the next piece of the reply and return the canonical text that has become certain."""
        self._text += chunk
        asterisk = self._text.find("*", self._given)
        edits: list[Edit] = []
        if asterisk >= 0 and "\n" in chunk:
            certain, edits = _certain(encodable(self._text[: self._text.rfind("\n") + 1]))
            asterisk = self._text.find("*", max(certain, asterisk))
        if asterisk >= 0 and "*" in self._text[-len(chunk) - _LOOK_BACK :]:
            asterisk = _first_open_asterisk(encodable(self._text), asterisk)
        return self._give(len(self._text) if asterisk < 0 else asterisk, edits)

    def close(self) -> str:
        """Return the rest, once the reply is complete."""
        return self._give(len(self._text), markdown_edits(self._text))

    def _give(self, end: int, edits: list[Edit]) -> str:
        """Return the text up to here, with those edits, of all so far, that were not given yet."""
        fresh = [(offset - self._given, inserted) for offset, inserted in edits[self._edits_given :]]
        text = apply_edits(self._text[self._given : end], fresh)
        self._given = end
        self._edits_given += len(fresh)
        return text


def _certain(lines: str) -> tuple[int, list[Edit]]:
    """Return up to where nothing that may follow these lines changes what is inserted, and what is, in characters."""
    reading = read(lines)
    limit = min(_closed_until(reading), _defined_until(lines, reading))
    kept, limit = _decided(reading, limit)
    *offsets, end = character_offsets(lines, [*chain.from_iterable(kept), limit])
    return end, [(offset, "*") for offset in offsets]


def _closed_until(reading: Reading) -> int:
    if _ENDS_BLANK.search(reading.data):
        return len(reading.data)
    return min(_last_leaf_start(tree, len(reading.data)) for tree in (reading.commonmark, reading.gfm))


def _last_leaf_start(tree: Tree, end: int) -> int:
    """Return where the leaf starts that the next line may belong to; lines of code and of HTML stay what they are."""
    leaf = next(_leaves_with_content(reversed(tree.leaves)), None)
    return end if leaf is None or _is_verbatim(tree, leaf) else leaf.start


def _is_verbatim(tree: Tree, leaf: Leaf) -> bool:
    return node_name(tree.events[leaf.first]) in _VERBATIM


def _leaves_with_content(leaves: Iterable[Leaf]) -> Iterator[Leaf]:
    return (leaf for leaf in leaves if leaf.past - leaf.first > 1)


def _defined_until(lines: str, reading: Reading) -> int:
    """Return where the first leaf with a `*` starts in which the parser misses a reference definition."""
    if "[" not in lines:
        return len(reading.data)
    starts = (
        leaf.start
        for tree in (reading.commonmark, reading.gfm)
        for leaf in _leaves_missing_definitions(lines, tree)
        if b"*" in reading.data[leaf.start : leaf.end]
    )
    return min(starts, default=len(reading.data))


def _leaves_missing_definitions(lines: str, tree: Tree) -> Iterator[Leaf]:
    missing: list[int] = []

    def note(link: BrokenLink) -> None:
        missing.append(link["span"]["start"])

    list(pyromark.events(lines, options=tree.dialect, broken_link_callback=note))
    for leaf in _leaves_with_content(tree.leaves):
        after = bisect_left(missing, leaf.start)
        if after < len(missing) and missing[after] < leaf.end:
            yield leaf


def _decided(reading: Reading, limit: int) -> tuple[list[Span], int]:
    """Return what is promoted before the limit, and a lower limit if a block waits for how the others turn out."""
    blocks = [block for block in candidates(reading) if min(block.values()) < (limit,)]
    together = {span for block in blocks for span in block.values()}
    alone = set(search(reading, blocks, FEWEST_PLACES))
    one_by_one = bool(reading.moved_by(together))
    kept: list[Span] = []
    for block in blocks:
        spans = list(block.values())
        is_certain = max(block) < FEWEST_PLACES and (one_by_one or alone.issuperset(spans))
        if not is_certain or spans[-1][1] > limit:
            return kept, min(limit, spans[0][0])
        kept += [span for span in spans if span in alone]
    return kept, limit


def _first_open_asterisk(text: str, asterisk: int) -> int:
    """Return the first asterisk, from this one on, where something may yet be inserted, or -1."""
    data = text.encode()
    ends = dict(_fixed(read_tree(text, COMMONMARK), data))
    place = len(text[:asterisk].encode())
    while place in ends:
        place = data.find(b"*", ends[place])
    return len(data[:place].decode()) if place >= 0 else -1


def _fixed(tree: Tree, data: bytes) -> Iterator[Span]:
    """Yield what stays as it is in CommonMark, even in a block that goes on: bullets, and strong nodes.

    Once a strong is closed and another character follows, its delimiters are used up, unless a construct that reaches
    over delimiters could still begin before it.
    """
    for leaf in tree.leaves:
        is_item = leaf.past > leaf.first and node_name(tree.events[leaf.first]) == "Item"
        if is_item and (bullet := _BULLET.match(data, leaf.start)):
            yield bullet.span(1)
        for start, end in leaf.lone:
            is_plain = data.startswith(b"**", start) and b"*" not in data[start + 2 : end - 2]
            if is_plain and data[end : end + 1] not in {b"", b"*"} and not _REACHING.search(data, leaf.start, end):
                yield start, end
