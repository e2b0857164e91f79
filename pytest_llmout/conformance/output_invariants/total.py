"""Every text is judged: whatever it holds, nothing is raised."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_llmout.conformance.case import Problem, Raised, shown

if TYPE_CHECKING:
    from pytest_llmout.conformance.output_case import OutputCase


def check(case: OutputCase) -> Problem | None:
    """Say what was raised."""
    match case.outcome:
        case Raised(error):
            return Problem("Ok or Failure", f"{type(error).__name__}: {shown(str(error))}")
        case _:
            return None
