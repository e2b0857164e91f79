"""What comes back is an `Ok` or a `Failure`, with fields of the right types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_llmout.conformance.case import Problem, shown
from pytest_llmout.contract import Failure, FailureKind, Ok

if TYPE_CHECKING:
    from pytest_llmout.conformance.output_case import OutputCase


def check(case: OutputCase) -> Problem | None:
    """Look at the types."""
    match case.outcome:
        case Ok(_, str(), bool(), tuple(notes)) if all(isinstance(note, str) for note in notes):
            return None
        case Failure(FailureKind(), str(), str()):
            return None
        case other:
            return Problem("Ok(value, str, bool, tuple of str) or Failure(FailureKind, str, str)", shown(other))
