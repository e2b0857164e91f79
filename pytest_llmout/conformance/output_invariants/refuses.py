"""A reply that breaks the contract is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_llmout.conformance.case import Problem, shown

if TYPE_CHECKING:
    from pytest_llmout.conformance.output_case import OutputCase


def check(case: OutputCase) -> Problem | None:
    """Look at replies that were broken on purpose."""
    fault = case.reply.fault
    return Problem(f"a {fault.kind} failure ({fault.name})", shown(case.ok)) if fault and case.ok else None
