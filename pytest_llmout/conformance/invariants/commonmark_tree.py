"""In CommonMark the tree stays as it was, but for emphasis that became strong."""

from __future__ import annotations

from pytest_llmout.conformance.case import Case, Problem, shown
from pytest_llmout.conformance.judge import moved


def check(case: Case) -> Problem | None:
    """Look for a block that moved for both CommonMark parsers."""
    if not case.is_judged:
        return None
    was, now = case.judgement.readings, case.after
    for_one, for_other = moved(was.commonmark, now.commonmark), moved(was.markdown_it, now.markdown_it)
    both = [place for place in for_one if place in for_other]
    if not both:
        return None
    return Problem("the tree of " + shown(case.raw), f"another tree: {shown(case.got)}")
