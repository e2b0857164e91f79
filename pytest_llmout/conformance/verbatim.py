"""Comparing what both CommonMark parsers see in a text before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_llmout.conformance.case import Problem, shown

if TYPE_CHECKING:
    from pytest_llmout.conformance.case import Case


def difference(case: Case, *kinds: str) -> Problem | None:
    """Say how the events of these kinds differ, if they do for both parsers."""
    if not case.is_judged:
        return None
    was, now = case.judgement.readings, case.after
    for before, after in ((was.commonmark, now.commonmark), (was.markdown_it, now.markdown_it)):
        wanted, got = list(before.events(*kinds)), list(after.events(*kinds))
        if wanted == got:
            return None
    return Problem(shown(wanted), shown(got))
