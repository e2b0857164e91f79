"""A reason is a stable machine code: small letters, digits and underscores."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_llmout.conformance.case import Problem, shown

if TYPE_CHECKING:
    from pytest_llmout.conformance.output_case import OutputCase

_CODE = re.compile(r"[a-z][a-z0-9_]{0,60}")


def check(case: OutputCase) -> Problem | None:
    """Look at the code."""
    if case.failure is None or _CODE.fullmatch(case.failure.reason):
        return None
    return Problem("a code such as `not_json`", shown(case.failure.reason))
