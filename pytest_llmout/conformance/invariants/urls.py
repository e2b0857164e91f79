"""Nothing is inserted into a bare URL."""

from __future__ import annotations

from pytest_llmout.conformance.case import Case, Problem
from pytest_llmout.conformance.surfaces import sure_urls


def check(case: Case) -> Problem | None:
    """Look for insertions between the first and the last character of a URL that every surface links."""
    if not case.is_judged:
        return None
    for leaf in case.judgement.readings.markdown_it.leaves:
        for places in sure_urls(leaf):
            if any(places[0] < place <= places[-1] for place in case.insertions):
                url = case.raw[places[0] : places[-1] + 1]
                return Problem(url, "the same with asterisks in it")
    return None
