"""Canonicalising twice equals once."""

from __future__ import annotations

from pytest_llmout.conformance.case import Case, Problem, shown


def check(case: Case) -> Problem | None:
    """Ask for what came back."""
    twice = case.subject.call(case.got)
    return None if twice == case.got else Problem(shown(case.got), shown(twice))
