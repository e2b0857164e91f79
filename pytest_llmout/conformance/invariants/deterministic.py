"""The same text gives the same result at once."""

from __future__ import annotations

from pytest_llmout.conformance.case import Case, Problem, shown

_TIMES = 2


def check(case: Case) -> Problem | None:
    """Ask again, with nothing in between."""
    if not case.is_short:
        return None
    for _ in range(_TIMES):
        again = case.subject.call(case.raw)
        if again != case.got:
            return Problem(f"{shown(case.got)} again", shown(again))
    return None
