"""Everything but the asterisks stays as it is, to the byte."""

from __future__ import annotations

from pytest_llmout.conformance.case import Case, Problem, shown


def check(case: Case) -> Problem | None:
    """Compare without asterisks."""
    kept, got = case.raw.replace("*", ""), case.got.replace("*", "")
    if kept == got:
        return None
    at = next((place for place, pair in enumerate(zip(kept, got, strict=False)) if pair[0] != pair[1]), None)
    at = min(len(kept), len(got)) if at is None else at
    return Problem(f"but for asterisks {shown(kept[at : at + 20])} at {at}", shown(got[at : at + 20]))
