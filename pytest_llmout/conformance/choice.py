"""Which nodes of a block the rule promotes: all together, or from left to right those with which the trees hold."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise
from typing import TYPE_CHECKING

from pytest_llmout.conformance.judge import judge, read

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pytest_llmout.conformance.judge import Judgement, Readings
    from pytest_llmout.conformance.reading import Reading, Span

Ordinals = frozenset[int]

_MOST_CANDIDATES = 12
_MOST_SEARCHED = 5


@dataclass(frozen=True, slots=True)
class Choice:
    """What the rule decides in one block."""

    leaf: int
    """The place of the block in the reading."""
    chosen: Ordinals
    """The ordinals of the nodes to promote among the nodes of the block."""
    is_searched: bool
    """Whether the candidates exclude each other, so that their order decides."""


@lru_cache(maxsize=2048)
def choices(raw: str) -> list[Choice]:
    """Return what the rule decides in each block in which it is certain what it decides."""
    judgement = judge(raw)
    found = {place: judgement.candidates(place) for place in sorted(judgement.settled)}
    together = {place: frozenset(candidates) for place, candidates in found.items() if candidates}
    verdicts = _try(judgement, together)
    decided = [Choice(place, together[place], is_searched=False) for place, holds in verdicts.items() if holds]
    excluding = [place for place, holds in verdicts.items() if holds is False]
    searched = {place: _search(judgement, place, found[place]) for place in excluding[:_MOST_SEARCHED]}
    found_out = ((place, chosen) for place, chosen in searched.items() if chosen is not None)
    return decided + [Choice(place, chosen, is_searched=True) for place, chosen in found_out]


def _search(judgement: Judgement, place: int, candidates: list[int]) -> Ordinals | None:
    """Make passes from left to right until one keeps nothing more; `None` if the judges disagree on the way."""
    if len(candidates) > _MOST_CANDIDATES:
        return None
    kept: Ordinals = frozenset()
    is_growing = True
    while is_growing:
        is_growing = False
        for ordinal in candidates:
            holds = ordinal not in kept and _try(judgement, {place: kept | {ordinal}})[place]
            if holds is None:
                return None
            if holds:
                kept, is_growing = kept | {ordinal}, True
    return kept


def _try(judgement: Judgement, chosen: Mapping[int, Ordinals]) -> dict[int, bool | None]:
    """Say of each block whether its trees hold with these nodes strong; `None` if the judges disagree about that."""
    was = judgement.readings
    nodes = {place: was.markdown_it.leaves[place].nodes for place in chosen}
    spans = {place: {nodes[place][ordinal].span for ordinal in chosen[place]} for place in chosen}
    now = read(_with_asterisks(was.text, [span for some in spans.values() for span in some if span]))
    unheld = _unheld_in_gfm(was, now, set().union(*spans.values()))
    return {
        place: _agreed(
            _holds(was.commonmark, now.commonmark, place, ordinals),
            _holds(was.markdown_it, now.markdown_it, place, ordinals),
            is_held_in_gfm=unheld is not None and unheld.isdisjoint(spans[place]),
        )
        for place, ordinals in chosen.items()
    }


def _agreed(for_one: bool | None, for_other: bool | None, *, is_held_in_gfm: bool) -> bool | None:  # noqa: FBT001  two votes
    return None if for_one != for_other or for_one is None else for_one and is_held_in_gfm


def _holds(was: Reading, now: Reading, place: int, ordinals: Ordinals) -> bool | None:
    if len(was.leaves) != len(now.leaves):
        return None
    return now.leaves[place].bare == was.leaves[place].promoting(ordinals)


def _unheld_in_gfm(was: Readings, now: Readings, spans: set[Span | None]) -> set[Span | None] | None:
    """Return those of the spans in whose block of GFM a tree moved; `None` if its blocks are not the same any more."""
    if len(was.gfm.leaves) != len(now.gfm.leaves):
        return None
    unheld: set[Span | None] = set()
    for before, after in zip(was.gfm.leaves, now.gfm.leaves, strict=True):
        chosen = {ordinal: node.span for ordinal, node in enumerate(before.nodes) if node.span in spans}
        if after.bare != before.promoting(chosen.keys()):
            unheld |= set(chosen.values()) or spans
    return unheld


def _with_asterisks(text: str, spans: Iterable[Span]) -> str:
    cuts = [0, *sorted(chain.from_iterable(spans)), len(text)]
    return "*".join(text[start:end] for start, end in pairwise(cuts))
