"""Reasons and notes are stable machine codes: small letters, digits and underscores."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_llmout.conformance.case import Problem, shown
from pytest_llmout.contract import Failure

if TYPE_CHECKING:
    from pytest_llmout.conformance.output_case import OutputCase

_CODE = re.compile(r"[a-z][a-z0-9_]{0,60}")


def check(case: OutputCase) -> Problem | None:
    """Look at the codes, and at the one for the same damage behind an empty line."""
    codes = case.ok.notes if case.ok else [case.failure.reason] if case.failure else []
    bad = next((code for code in codes if not _CODE.fullmatch(code)), None)
    if bad is not None:
        return Problem("a code such as `not_json`", shown(bad))
    if case.failure is None or case.reply.fault is None:
        return None
    match case.again(f"\n{case.reply.raw}"):
        case Failure(_, _, reason) if reason != case.failure.reason:
            return Problem(f"{case.failure.reason} behind an empty line too", reason)
    return None
