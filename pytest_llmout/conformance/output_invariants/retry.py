"""Whether a failure is worth asking again is a `bool`, the same twice, and true of syntax if re-asks are allowed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_llmout.conformance.case import Problem, shown
from pytest_llmout.contract import FailureKind

if TYPE_CHECKING:
    from pytest_llmout.conformance.output_case import OutputCase


def check(case: OutputCase) -> Problem | None:
    """Ask about the failure, twice."""
    failure = case.failure
    if failure is None:
        return None
    first, again = (case.attempt(lambda: case.output_type.retryable(failure)) for _ in range(2))
    if type(first) is not bool or first != again:
        return Problem("True or False, the same twice", f"{shown(first)}, {shown(again)}")
    if case.output_type.max_retries and failure.kind is FailureKind.SYNTAX and not first:
        return Problem(f"True, since {case.output_type.max_retries} re-asks are allowed", "False")
    return None
