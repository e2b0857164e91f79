"""The time grows with the length of the text, not with its square."""

from __future__ import annotations

from string import punctuation
from typing import TYPE_CHECKING

from pytest_llmout.conformance.growth import superlinear

if TYPE_CHECKING:
    from pytest_llmout.conformance.case import Case, Problem

UNITS = (
    *punctuation, "*a ", "*a* ", "*a**b* ", "**a *", "***", "a*", "_a ", "*a _b ", "![", "[*a](", "> ", "*a`", "<!--",
    "<a *", "</", "<b>", "\\*", "~~a ", "| *a ", "*a*\n", "- *a*\n", "https://a.b/*", "\n", "\t", "a ", "a\n", "# ",
    "- ", "```\n", "=\n", "[a]: /b\n", "é", "重",
)  # fmt: skip
"""What is repeated; the parsers of many languages need quadratic time for one or another of these."""


def check(case: Case) -> Problem | None:
    """Repeat a unit until it takes a measurable time; other texts are not looked at."""
    return superlinear(case.subject.call, case.raw, case.subject.clock) if case.raw in UNITS else None
