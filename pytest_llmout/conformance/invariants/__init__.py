"""What every canonicaliser of Markdown must hold, from the most basic to the most subtle.

Each invariant is a module: its docstring says the rule in one sentence, `check(case)` says how one text breaks it. It
is asked about a text only if all invariants before it hold there, so that what is reported is the cause and not its
consequences.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_llmout.conformance.invariant import load_invariants

if TYPE_CHECKING:
    from pytest_llmout.conformance.case import Case
    from pytest_llmout.conformance.invariant import Invariant

NAMES = (
    "total",
    "text",
    "deterministic",
    "stateless",
    "elsewhere",
    "inserts",
    "code_and_html",
    "links",
    "urls",
    "ends",
    "eligible",
    "commonmark_tree",
    "gfm_tree",
    "fixed_point",
    "complete",
    "leftmost",
    "size",
    "linear",
)

INVARIANTS: tuple[Invariant[Case], ...] = load_invariants(__name__, NAMES)
