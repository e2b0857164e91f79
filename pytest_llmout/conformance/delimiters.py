"""Comparing where asterisks were added with where nodes end."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pytest_llmout.conformance.case import Problem, shown

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_llmout.conformance.case import Case
    from pytest_llmout.conformance.choice import Choice
    from pytest_llmout.conformance.reading import Span


def excess(case: Case, spans: Iterable[Span], what: str) -> Problem | None:
    """Say where more asterisks were added than nodes end, in a block that both CommonMark parsers read alike.

    Asterisks that touch cannot be told apart, so each run of them is looked at as a whole.
    """
    ends = Counter(_run_start(case.raw, place) for span in spans for place in (span[0], span[1] - 1))
    added = Counter(_run_start(case.raw, place) for place in case.insertions)
    disputed = _disputed(case)
    for place, count in added.items():
        is_at_asterisk = case.raw.startswith("*", place)
        if count > ends[place] and not (is_at_asterisk and place in disputed):
            around = case.raw[max(0, place - 10) : place + 10]
            return Problem(f"at character {place} only {what}", f"{count} added in {shown(around)}")
    return None


def _run_start(text: str, place: int) -> int:
    """Return where the run of asterisks around or just before a place starts, or the place if there is none."""
    while place and text[place - 1] == "*":
        place -= 1
    return place


def _disputed(case: Case) -> set[int]:
    judgement = case.judgement
    leaves = judgement.readings.markdown_it.leaves
    if not judgement.settled:
        return set(range(len(case.raw)))
    return {place for at, leaf in enumerate(leaves) if at not in judgement.settled for place in leaf.places}


def against(case: Case, wanted: Iterable[Choice]) -> Problem | None:
    """Say in which of these blocks other nodes became strong than should."""
    leaves = case.judgement.readings.markdown_it.leaves
    for choice in wanted:
        was, now = leaves[choice.leaf], case.after.markdown_it.leaves[choice.leaf]
        if now.bare != was.promoting(choice.chosen):
            spans = [span for ordinal in sorted(choice.chosen) if (span := was.nodes[ordinal].span)]
            nodes = " and ".join(shown(case.raw[start:end], 40) for start, end in spans)
            return Problem(f"{nodes or 'nothing'} promoted in {shown(was.source)}", shown(case.got))
    return None
