"""The time grows with the length of the text, not with its square."""

from __future__ import annotations

from string import punctuation
from time import process_time
from typing import TYPE_CHECKING

from pytest_llmout.conformance.growth import superlinear

if TYPE_CHECKING:
    from pytest_llmout.conformance.case import Problem
    from pytest_llmout.conformance.output_case import OutputCase

UNITS = (
    *punctuation, "a", "A", "1", " ", "\n", "```\n", "~~~\n", "- a\n", "a, ", "<think>", "重",
    '{"a":', '{"a":1}\n', '"a",',
)  # fmt: skip
"""What is repeated."""


def check(case: OutputCase) -> Problem | None:
    """Repeat a unit until it takes a measurable time; other texts are not looked at."""
    return superlinear(case.again, case.reply.raw, process_time) if case.reply.raw in UNITS else None
