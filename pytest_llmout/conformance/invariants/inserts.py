"""Asterisks are only added: none is removed or moved."""

from __future__ import annotations

from pytest_llmout.conformance.case import Case, Problem, shown


def check(case: Case) -> Problem | None:
    """Find the given text within what came back."""
    if len(case.got) == len(case.raw) + len(case.insertions):
        return None
    return Problem(f"{shown(case.raw)} with asterisks added", shown(case.got))
