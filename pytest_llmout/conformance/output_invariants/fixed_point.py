"""The canonical text is accepted, unchanged, as an equal value, and is its own canonical text."""

from __future__ import annotations

from pytest_llmout.conformance.case import Problem, shown
from pytest_llmout.conformance.output_case import OutputCase, same
from pytest_llmout.contract import Ok


def check(case: OutputCase) -> Problem | None:
    """Judge the canonical text."""
    if case.ok is None:
        return None
    match case.again(case.ok.canonical):
        case Ok(value, canonical, False) if canonical == case.ok.canonical and same(value, case.ok.value):
            return None
        case other:
            return Problem(shown(Ok(case.ok.value, case.ok.canonical, changed=False)), shown(other))
