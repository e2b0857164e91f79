"""Where nodes exclude each other, those are promoted that come first from the left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_llmout.conformance.choice import choices
from pytest_llmout.conformance.delimiters import against

if TYPE_CHECKING:
    from pytest_llmout.conformance.case import Case, Problem


def check(case: Case) -> Problem | None:
    """Compare with the blocks in which the order decides."""
    if not case.is_judged:
        return None
    return against(case, (choice for choice in choices(case.raw) if choice.is_searched))
