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
from itertools import chain, pairwise
from typing import TYPE_CHECKING, NamedTuple

import pyromark

from pytest_llmout.outputs.markdown_output import apply_edits, character_offsets, edits_after
from pytest_llmout.outputs.markdown_tree import COMMONMARK, encodable, node_name, read_tree
from pytest_llmout.outputs.promotion import FEWEST_PLACES, Before, candidates, read, search

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyromark.event import BrokenLink

    from pytest_llmout.outputs.markdown_output import Edit
    from pytest_llmout.outputs.markdown_tree import Span, Tree
    from pytest_llmout.outputs.promotion import Reading

_ENDS_BLANK = re.compile(rb"(?:\A|\n)[ \t]*\r?\n\Z")
_BULLET = re.compile(rb"[ \t]*(\*)[ \t]+\**[^*\s]")
_PERHAPS_FIXED = re.compile(r"\*[*\s]")
_REACHING = re.compile(rb"[`<\[\\]")
_SHORT = 4096  # characters that cost little to parse
_LITTLE = 256  # characters that may be held and looked at with every piece; more of them, as they grow by a quarter
_LOOK_BACK = 5  # a bullet or a strong is settled by what follows it; looking for that only where it can be saves time
_VERBATIM = {"CodeBlock", "HtmlBlock"}


class MarkdownStream:
    """Turns a reply that arrives in pieces into canonical text.

    What `feed` and `close` return, put together, is the canonical form of all that was fed, however it was cut.
    """

    def __init__(self) -> None:
        self._text = ""  # what was fed, without what `_forget` dropped
        self._given = 0  # characters of the text
        self._edits_given = 0
        self._before = Before()
        self._seen = 0  # characters, whole lines, that were looked at
        self._patience = _SHORT  # how long a text that holds no `*` may grow before it is looked at
        self._looked = 0  # how long the text was when it was last looked at
        self._look_at = 0  # how long it is to be before it is looked at again

    @property
    def held(self) -> int:
        """How many characters of what was fed are held back."""
        return len(self._text) - self._given

    def feed(self, chunk: str) -> str:
        """Take the next piece of the reply and return the canonical text that has become certain."""
        self._text += chunk
        asterisk = self._text.find("*", self._given)
        line_end = self._text.rfind("\n") + 1
        has_new_line = line_end > self._seen and (0 <= asterisk < line_end or len(self._text) > self._patience)
        if len(self._text) < self._look_at or not (has_new_line or asterisk >= 0):
            return self._give(len(self._text) if asterisk < 0 else asterisk, [])
        edits: list[Edit] = []
        known = None
        if has_new_line:
            self._seen = line_end
            known = _certain(encodable(self._text[:line_end]), self._given, self._before)
            edits = known.edits
            asterisk = self._text.find("*", max(known.end, self._given))
        if asterisk >= 0 and "*" in self._text[max(0, self._looked - _LOOK_BACK) :]:
            asterisk = _first_open_asterisk(encodable(self._text), asterisk)
        fresh = self._give(len(self._text) if asterisk < 0 else asterisk, edits)
        if known:
            self._forget(known)
        self._wait()
        return fresh

    def close(self) -> str:
        """Return the rest, once the reply is complete."""
        return self._give(len(self._text), edits_after(self._text, self._before))

    def _give(self, end: int, edits: list[Edit]) -> str:
        """Return the text up to here, with those edits, of all so far, that were not given yet."""
        fresh = [(offset - self._given, inserted) for offset, inserted in edits[self._edits_given :]]
        text = apply_edits(self._text[self._given : end], fresh)
        self._given = end
        self._edits_given += len(fresh)
        return text

    def _wait(self) -> None:
        """Set when to look again, so that a long text, or one of which much is held, is not read at every piece."""
        self._looked = len(self._text)
        self._look_at = self._looked + max(
            self.held // 4 if self.held > _LITTLE else 0, self._looked // 16 if self._looked > _SHORT else 0
        )

    def _forget(self, known: _Certain) -> None:
        """Drop the blocks on which nothing depends, so that a line of a long reply costs as much as one of a short."""
        dropped, self._text = self._text[: known.cut], self._text[known.cut :]
        self._given -= known.cut
        self._seen -= known.cut
        self._edits_given = sum(offset >= known.cut for offset, _ in known.edits[: self._edits_given])
        size = self._before.size + len(dropped) - dropped.count("*")
        self._before = Before(size, one_by_one=known.one_by_one)
        self._patience = max(_SHORT, 2 * len(self._text))


class _Certain(NamedTuple):
    """What is known of the lines so far, in characters."""

    end: int
    """Up to where nothing that may follow changes what is inserted."""
    edits: list[Edit]
    """What is inserted up to there."""
    cut: int
    """From where on the text reads as if it stood alone."""
    one_by_one: bool
    """Whether it is certain that not all candidates hold together."""


def _certain(lines: str, given: int, before: Before) -> _Certain:
    reading = read(lines)
    limit = max(len(lines[:given].encode()), min(_closed_until(reading), _defined_until(lines, reading)))
    kept, limit, one_by_one = _decided(reading, limit, before)
    cut = _cut(reading, limit)
    *offsets, end = character_offsets(lines, [*chain.from_iterable(kept), limit])
    return _Certain(end, [(offset, "*") for offset in offsets], len(reading.data[:cut].decode()), one_by_one)


def _cut(reading: Reading, limit: int) -> int:
    """Return where the last block starts, up to the limit, that no block before it can have to do with.

    It starts at the margin in both dialects, and nothing is defined before it. An item of a list reads on its own too.
    """
    places = set(reading.commonmark.starts) & set(reading.gfm.starts)
    defined = reading.data.find(b"]:")
    for place in sorted(places, reverse=True):
        is_free = place <= limit and (defined < 0 or place <= defined)
        if is_free and reading.data.endswith(b"\n", 0, place) and not reading.data[place : place + 1].isspace():
            return place
    return 0


def _closed_until(reading: Reading) -> int:
    if _ENDS_BLANK.search(reading.data):
        return len(reading.data)
    return min(_last_leaf_start(tree, len(reading.data)) for tree in (reading.commonmark, reading.gfm))


def _last_leaf_start(tree: Tree, end: int) -> int:
    """Return where the leaf starts that the next line may belong to; lines of code and of HTML stay what they are."""
    leaf = max(_leaves_with_content(tree), default=None)
    return end if leaf is None or node_name(tree.events[tree.leaves[leaf]]) in _VERBATIM else tree.starts[leaf]


def _leaves_with_content(tree: Tree) -> Iterator[int]:
    sizes = (past - first for first, past in pairwise([*tree.leaves, len(tree.events)]))
    return (leaf for leaf, size in enumerate(sizes) if size > 1)


def _defined_until(lines: str, reading: Reading) -> int:
    """Return where the first leaf with a `*` starts in which the parser misses a reference definition."""
    if "[" not in lines:
        return len(reading.data)
    starts = (
        start
        for tree in (reading.commonmark, reading.gfm)
        for start, end in _missing_definitions(lines, tree)
        if reading.data.find(b"*", start, end) >= 0
    )
    return min(starts, default=len(reading.data))


def _missing_definitions(lines: str, tree: Tree) -> Iterator[Span]:
    """Yield the byte ranges of leaves in which the parser would look for the definition of a reference."""
    missing: list[int] = []

    def note(link: BrokenLink) -> None:
        missing.append(link["span"]["start"])

    list(pyromark.events(lines, options=tree.dialect, broken_link_callback=note))
    for leaf in _leaves_with_content(tree):
        start, end = tree.starts[leaf], tree.ends[leaf]
        after = bisect_left(missing, start)
        if after < len(missing) and missing[after] < end:
            yield start, end


def _decided(reading: Reading, limit: int, before: Before) -> tuple[list[Span], int, bool]:
    """Return what is promoted before the limit, a lower limit if a block waits for how the others turn out.

    And whether some blocks are known in which the candidates do not hold together.
    """
    blocks = [block for block in candidates(reading) if min(block.values()) < (limit,)]
    together = {span for block in blocks for span in block.values() if span[1] <= limit}
    alone = set(search(reading, blocks, FEWEST_PLACES))
    one_by_one = before.one_by_one or bool(reading.moved_by(together))
    kept: list[Span] = []
    for block in blocks:
        spans = list(block.values())
        is_certain = max(block) < FEWEST_PLACES and (one_by_one or alone.issuperset(spans))
        if not is_certain or spans[-1][1] > limit:
            return kept, min(limit, spans[0][0]), one_by_one
        kept += [span for span in spans if span in alone]
    return kept, limit, one_by_one


def _first_open_asterisk(text: str, asterisk: int) -> int:
    """Return the first asterisk, from this one on, where something may yet be inserted, or -1."""
    if not _PERHAPS_FIXED.match(text, asterisk):
        return asterisk
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
    for leaf, first in enumerate(tree.leaves):
        is_item = first < len(tree.events) and node_name(tree.events[first]) == "Item"
        if is_item and (bullet := _BULLET.match(data, tree.starts[leaf])):
            yield bullet.span(1)
    for spans in tree.lone_by_leaf():
        reaching = _REACHING.search(data, tree.starts[tree.leaf_of(spans[0])], spans[-1][1])
        for start, end in spans:
            is_plain = data.startswith(b"**", start) and b"*" not in data[start + 2 : end - 2]
            is_reached = reaching is not None and reaching.start() < end
            if is_plain and data[end : end + 1] not in {b"", b"*"} and not is_reached:
                yield start, end
