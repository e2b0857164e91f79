"""What was observed is told in one line of at most 500 characters, none of which is a control character."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unicodedata import category

from pytest_llmout.conformance.case import Problem, shown

if TYPE_CHECKING:
    from pytest_llmout.conformance.output_case import OutputCase

_LIMIT = 500
_NO_LINE = frozenset(("Cc", "Cs", "Zl", "Zp"))


def check(case: OutputCase) -> Problem | None:
    """Look at the words for the model."""
    if case.failure is None:
        return None
    observed = case.failure.observed
    if not observed.strip():
        return Problem("words about what was seen", shown(observed))
    if len(observed) > _LIMIT:
        return Problem(f"at most {_LIMIT} characters", f"{len(observed)}: {shown(observed)}")
    bad = next((character for character in observed if category(character) in _NO_LINE), None)
    return None if bad is None else Problem("one line without control characters", f"{bad!a} in {shown(observed)}")
