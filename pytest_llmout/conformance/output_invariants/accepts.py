"""A reply that keeps the contract is accepted, however it is spelled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_llmout.conformance.case import Problem, shown

if TYPE_CHECKING:
    from pytest_llmout.conformance.output_case import OutputCase


def check(case: OutputCase) -> Problem | None:
    """Look at replies that are known to be right."""
    return Problem("Ok", shown(case.failure)) if case.reply.is_valid and case.failure else None
