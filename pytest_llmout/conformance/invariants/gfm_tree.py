"""With tables, strikethrough, footnotes, task lists and math the tree stays as it was, but for what became strong."""

from __future__ import annotations

from pytest_llmout.conformance.case import Case, Problem, shown
from pytest_llmout.conformance.judge import moved


def check(case: Case) -> Problem | None:
    """Look for a block that moved, in a text that no implementation reads in another way."""
    if not case.is_judged or not case.judgement.is_settled_in_gfm:
        return None
    if not moved(case.judgement.readings.gfm, case.after.gfm):
        return None
    return Problem("the tree of " + shown(case.raw), f"another tree: {shown(case.got)}")
