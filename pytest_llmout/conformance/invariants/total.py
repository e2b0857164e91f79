"""Every text is answered: whatever it holds, nothing is raised."""

from __future__ import annotations

from pytest_llmout.conformance.case import Case, Problem, Raised, shown


def check(case: Case) -> Problem | None:
    """Say what was raised."""
    match case.outcome:
        case Raised(error):
            return Problem("a text", f"{type(error).__name__}: {shown(str(error))}")
        case _:
            return None
