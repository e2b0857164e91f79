"""Code and HTML stay as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_llmout.conformance.verbatim import difference

if TYPE_CHECKING:
    from pytest_llmout.conformance.case import Case, Problem


def check(case: Case) -> Problem | None:
    """Compare code and HTML as both CommonMark parsers see them."""
    return difference(case, "code", "code_block", "html", "html_block")
