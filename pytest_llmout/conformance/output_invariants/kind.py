"""A failure is `syntax` if the text is not the format at all, and `schema` if only the shape is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_llmout.conformance.case import Problem, shown

if TYPE_CHECKING:
    from pytest_llmout.conformance.output_case import OutputCase


def check(case: OutputCase) -> Problem | None:
    """Look at replies that were broken on purpose."""
    fault = case.reply.fault
    if fault is None or case.failure is None or case.failure.kind is fault.kind:
        return None
    return Problem(f"{fault.kind} ({fault.name})", shown(case.failure))
