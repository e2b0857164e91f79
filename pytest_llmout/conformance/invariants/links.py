"""Links and images stay and lead where they led."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_llmout.conformance.reading import IMAGE, LINK
from pytest_llmout.conformance.verbatim import difference

if TYPE_CHECKING:
    from pytest_llmout.conformance.case import Case, Problem


def check(case: Case) -> Problem | None:
    """Compare links and images as both CommonMark parsers see them."""
    return difference(case, LINK, IMAGE)
