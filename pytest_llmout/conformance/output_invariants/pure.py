"""The same text gives the same outcome, whatever was judged before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_llmout.conformance.case import Problem, shown

if TYPE_CHECKING:
    from pytest_llmout.conformance.output_case import OutputCase

_BETWEEN = ("", "{}", '{"a": 1}', "*a*")


def check(case: OutputCase) -> Problem | None:
    """Judge again, and again after other texts."""
    for raw in (case.reply.raw, *_BETWEEN, case.reply.raw):
        again = case.again(raw)
        if raw == case.reply.raw and repr(again) != repr(case.outcome):
            return Problem(f"{shown(case.outcome)} again", shown(again))
    return None
