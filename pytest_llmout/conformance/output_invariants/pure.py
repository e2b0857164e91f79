"""The same text gives the same outcome, whatever was judged before, and no outcome changes afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_llmout.conformance.case import Problem, shortened, shown

if TYPE_CHECKING:
    from pytest_llmout.conformance.output_case import OutputCase

_BETWEEN = ("", "{}", '{"a": 1}', "*a*")


def check(case: OutputCase) -> Problem | None:
    """Judge again, and again after other texts and those that were accepted before."""
    known = {**case.earlier, case.reply.raw: repr(case.outcome)}
    for raw in (case.reply.raw, *_BETWEEN, *known):
        again = repr(case.again(raw))
        if again != known.get(raw, again):
            return Problem(f"{shortened(known[raw])} for {shown(raw)} again", shortened(again))
    if repr(case.outcome) != known[case.reply.raw]:
        return Problem(f"{shortened(known[case.reply.raw])} for good", shown(case.outcome))
    return None
