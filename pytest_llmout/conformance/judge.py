"""What may be promoted in a text, as parsers say that are not the candidate's.

CommonMark is judged by two parsers, and a block that they read differently is held against nobody. What chat surfaces
add to it is judged by one, and left alone where implementations of the same syntax are known to differ.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from pytest_llmout.conformance.commonmark_reader import read_commonmark
from pytest_llmout.conformance.markdown_it_reader import read_gfm, read_markdown_it
from pytest_llmout.conformance.reading import EMPHASIS, STRONG
from pytest_llmout.conformance.surfaces import may_differ, url_places

if TYPE_CHECKING:
    from collections.abc import Collection

    from pytest_llmout.conformance.reading import Leaf, Reading, Span

_SURROGATE = re.compile("[\ud800-\udfff]")
_LONE_RETURN = re.compile(r"\r(?!\n)")
_CUTS = frozenset("|$~")
_STAND_IN = "\ue000"  # like a lone surrogate neither space nor punctuation


@dataclass(frozen=True, slots=True)
class Readings:
    """A text as every judge reads it."""

    text: str
    commonmark: Reading
    markdown_it: Reading
    gfm: Reading


def parseable(text: str) -> str:
    """Return the text with each lone surrogate, which has no UTF-8 form, as a private character."""
    return _SURROGATE.sub(_STAND_IN, text)


@lru_cache(maxsize=2048)
def read(text: str) -> Readings:
    """Let every judge read a text."""
    text = parseable(text)
    return Readings(text, read_commonmark(text), read_markdown_it(text), read_gfm(text))


class Judgement:
    """What the judges say about one text before canonicalisation."""

    def __init__(self, raw: str) -> None:
        self.readings = read(raw)

    @cached_property
    def is_disputed(self) -> bool:
        """Whether a lone carriage return stands in a text with blocks of code or HTML.

        CommonMark ends a line there; parsers in wide use (pulldown-cmark among them) do not in such blocks.
        """
        has_lone_return = _LONE_RETURN.search(self.readings.text) is not None
        return has_lone_return and any(self.readings.commonmark.events("code_block", "html_block"))

    @cached_property
    def settled(self) -> frozenset[int]:
        """The places of the leaves that both CommonMark parsers read alike."""
        some, others = self.readings.commonmark.leaves, self.readings.markdown_it.leaves
        if len(some) != len(others):
            return frozenset()
        return frozenset(place for place, leaf in enumerate(some) if leaf.outline == others[place].outline)

    @cached_property
    def is_settled_in_gfm(self) -> bool:
        """Whether no two implementations of GFM can be expected to read any of this text differently."""
        leaves = [*self.readings.markdown_it.leaves, *self.readings.gfm.leaves]
        is_settled = len(self.settled) == len(self.readings.commonmark.leaves)
        return is_settled and not any(may_differ(leaf, self.readings.text) for leaf in leaves)

    def qualifying(self, leaf: Leaf) -> list[int]:
        """Return the ordinals of a leaf's lone emphasis nodes whose first delimiter is an asterisk no other follows."""
        text = self.readings.text
        return [
            ordinal
            for ordinal, node in enumerate(leaf.nodes)
            if node.is_lone and node.kind == EMPHASIS and node.span and text[node.span[0]] == "*"
            if not text.startswith("**", node.span[0])
        ]

    def candidates(self, place: int) -> list[int]:
        """Return the ordinals of the nodes of a settled leaf that qualify in every dialect.

        None are returned where it is uncertain what a dialect sees.
        """
        leaf = self.readings.markdown_it.leaves[place]
        spans = {ordinal: leaf.nodes[ordinal].span for ordinal in self.qualifying(leaf)}
        in_url = url_places(leaf)
        if not all(span and self._is_certain(span, in_url) for span in spans.values()):
            return []
        return [ordinal for ordinal, span in spans.items() if span in self._lone_in_gfm]

    def _is_certain(self, span: Span, in_url: frozenset[int]) -> bool:
        """Whether it is clear if GFM sees a node that CommonMark sees, and if not, why."""
        if span in self._uncertain or not in_url.isdisjoint((span[0], span[1] - 1)):
            return False
        return span in self._lone_in_gfm or not _CUTS.isdisjoint(self.readings.text[slice(*span)])

    @cached_property
    def _lone_in_gfm(self) -> set[Span | None]:
        nodes = (node for leaf in self.readings.gfm.leaves for node in leaf.nodes)
        return {node.span for node in nodes if node.is_lone and node.kind == EMPHASIS}

    @cached_property
    def _uncertain(self) -> set[Span | None]:
        uncertain = (leaf for leaf in self.readings.gfm.leaves if may_differ(leaf, self.readings.text))
        return {node.span for leaf in uncertain for node in leaf.nodes}


@lru_cache(maxsize=2048)
def judge(raw: str) -> Judgement:
    """Return what the judges say about a text."""
    return Judgement(raw)


def moved(was: Reading, now: Reading, promoted: Collection[Span] | None = None) -> list[int]:
    """Return the places of the leaves that differ in more than that emphasis became strong.

    Given where the nodes stand that became strong, it must be exactly these.
    """
    if len(was.leaves) != len(now.leaves):
        return list(range(len(was.leaves)))
    leaves = zip(was.leaves, now.leaves, strict=True)
    if promoted is None:
        return [place for place, (before, after) in enumerate(leaves) if not _is_promoted(before, after)]
    return [
        place
        for place, (before, after) in enumerate(leaves)
        if after.bare != before.promoting([at for at, node in enumerate(before.nodes) if node.span in promoted])
    ]


def _is_promoted(was: Leaf, now: Leaf) -> bool:
    return len(was.bare) == len(now.bare) and all(
        before == after or (before[0] == after[0] and (before[1], after[1]) == (EMPHASIS, STRONG))
        for before, after in zip(was.bare, now.bare, strict=True)
    )
