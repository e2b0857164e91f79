"""It has a name in one line, a hint or none, and a number of re-asks that somebody would pay for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_llmout.conformance.case import Problem, shown

if TYPE_CHECKING:
    from pytest_llmout.conformance.output_case import OutputCase


_MOST_RETRIES = 100


def check(case: OutputCase) -> Problem | None:
    """Look at the attributes."""
    name, hint, retries = case.described
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        return Problem("a name in one line", shown(name))
    if hint is not None and not (isinstance(hint, str) and hint.strip()):
        return Problem("request_hint with words in it, or None", shown(hint))
    if type(retries) is not int or not 0 <= retries <= _MOST_RETRIES:
        return Problem(f"max_retries as an int from 0 to {_MOST_RETRIES}", shown(retries))
    return None
