"""What was observed is told to a model: in one line of at most 500 characters, without links and inner names.

A model can do nothing with the name of a library or with an address of memory, which also makes two runs differ.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from unicodedata import category

from pytest_llmout.conformance.case import Problem, shown

if TYPE_CHECKING:
    from pytest_llmout.conformance.output_case import OutputCase

_LIMIT = 500
_NO_LINE = frozenset(("Cc", "Cs", "Zl", "Zp"))
_INNER = re.compile(
    r"https?://[\w./-]*|\b0x[0-9a-f]{6,}|\b(?:pydantic|jsonschema|msgspec|marshmallow|\w+Error|Traceback)\b",
    re.IGNORECASE,
)


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
    if bad is not None:
        return Problem("one line without control characters", f"{bad!a} in {shown(observed)}")
    inner = next((found for found in _INNER.findall(observed) if found not in case.reply.raw), None)
    return None if inner is None else Problem("words for a model", f"{inner!r} in {shown(observed)}")
