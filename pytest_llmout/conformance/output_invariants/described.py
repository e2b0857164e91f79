"""It has a name, a hint or none, and a number of re-asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_llmout.conformance.case import Problem, shown

if TYPE_CHECKING:
    from pytest_llmout.conformance.output_case import OutputCase


def check(case: OutputCase) -> Problem | None:
    """Look at the attributes."""
    name, hint, retries = case.described
    if not isinstance(name, str) or not name:
        return Problem("a name", shown(name))
    if hint is not None and not isinstance(hint, str):
        return Problem("request_hint as a str, or None", shown(hint))
    if type(retries) is not int or retries < 0:
        return Problem("max_retries as an int from 0", shown(retries))
    return None
