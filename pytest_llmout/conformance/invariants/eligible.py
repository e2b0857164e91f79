"""Only an emphasis that stands alone is promoted, between single asterisks and outside image descriptions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_llmout.conformance.delimiters import excess

if TYPE_CHECKING:
    from pytest_llmout.conformance.case import Case, Problem


def check(case: Case) -> Problem | None:
    """Compare where asterisks were added with the nodes that qualify."""
    if not case.is_judged:
        return None
    judgement = case.judgement
    ends = [
        leaf.nodes[ordinal].span
        for leaf in judgement.readings.markdown_it.leaves
        for ordinal in judgement.qualifying(leaf)
    ]
    return excess(case, [span for span in ends if span], "an end of an emphasis that stands alone")
