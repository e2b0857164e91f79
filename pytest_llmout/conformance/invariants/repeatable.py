"""The same text gives the same result, whatever was asked before."""

from __future__ import annotations

from pytest_llmout.conformance.case import Case, Problem, shown


def check(case: Case) -> Problem | None:
    """Ask again, and again after the texts that came before."""
    if not case.is_short:
        return None
    for raw, first in [(case.raw, case.outcome), *case.subject.earlier.items(), (case.raw, case.outcome)]:
        again = case.subject.call(raw)
        if isinstance(first, str) and again != first:
            return Problem(f"{shown(first)} for {shown(raw)} again", shown(again))
    return None
