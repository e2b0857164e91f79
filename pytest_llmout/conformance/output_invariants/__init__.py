"""What every output type must hold, from the most basic to the most subtle.

The modules are built like the invariants of canonicalisers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_llmout.conformance.invariant import load_invariants

if TYPE_CHECKING:
    from pytest_llmout.conformance.invariant import Invariant
    from pytest_llmout.conformance.output_case import OutputCase

NAMES = (
    "described",
    "total",
    "outcome",
    "pure",
    "observed",
    "reason",
    "retry",
    "accepts",
    "refuses",
    "kind",
    "fixed_point",
    "one_canonical",
    "changed",
    "linear",
)

INVARIANTS: tuple[Invariant[OutputCase], ...] = load_invariants(__name__, NAMES)
