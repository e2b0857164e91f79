"""Asterisks are added only at the ends of emphasis nodes, one at each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_llmout.conformance.delimiters import excess
from pytest_llmout.conformance.reading import EMPHASIS

if TYPE_CHECKING:
    from pytest_llmout.conformance.case import Case, Problem


def check(case: Case) -> Problem | None:
    """Compare where asterisks were added with the emphasis nodes of CommonMark."""
    if not case.is_judged:
        return None
    ends = [
        node.span
        for leaf in case.judgement.readings.markdown_it.leaves
        for node in leaf.nodes
        if node.kind == EMPHASIS and node.span and case.raw[node.span[0]] == "*"
    ]
    return excess(case, ends, "an end of an emphasis")
