"""What comes back is a `str`, and no subclass, which may compare, add and format in a way of its own."""

from __future__ import annotations

from pytest_llmout.conformance.case import Case, Problem, shown


def check(case: Case) -> Problem | None:
    """Say what came back instead."""
    if type(case.outcome) is str:
        return None
    return Problem("a str", f"{type(case.outcome).__name__}: {shown(case.outcome)}")
