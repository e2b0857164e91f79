"""Ways to hold a canonicaliser to the invariants."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import pytest

from pytest_llmout.conformance.case import Subject
from pytest_llmout.conformance.finding import ConformanceError
from pytest_llmout.conformance.hunt import all_findings, first_finding
from pytest_llmout.conformance.invariants import NAMES
from pytest_llmout.conformance.suite import hold

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

DEFAULT_EXAMPLES = 400


def check_canonicalizer(
    canonicalize: Callable[[str], object], *, max_examples: int = DEFAULT_EXAMPLES, seed: int = 0
) -> None:
    """Look for a text on which a canonicaliser of Markdown breaks an invariant.

    Args:
        canonicalize: Takes a text and returns its canonical form.
        max_examples: How many texts are generated; some hundreds of fixed ones come first.
        seed: What the generated texts depend on.

    Raises:
        ConformanceError: One was found; of those found together, the error tells the most basic one.
    """
    finding = first_finding(Subject(canonicalize), max_examples=max_examples, seed=seed)
    if finding:
        raise ConformanceError(finding)


class CanonicalizerSuite:
    """One test for each invariant: subclass it in a test module as `Test…` and define `canonicalize`."""

    max_examples: ClassVar[int] = DEFAULT_EXAMPLES
    """How many texts are generated; some hundreds of fixed ones come first."""
    seed: ClassVar[int] = 0
    """What the generated texts depend on."""
    xfails: ClassVar[Mapping[str, str]] = {}
    """Invariants that are known to be broken, each with the reason; one that holds after all fails its test."""

    @staticmethod
    def canonicalize(raw: str) -> str:
        """Return the canonical form of a text."""
        raise NotImplementedError("define canonicalize(raw) in the subclass, as a static method")

    @pytest.mark.parametrize("invariant", NAMES)
    def test_invariant(self, invariant: str, request: pytest.FixtureRequest) -> None:
        """Hold one invariant."""
        hold(
            type(self),
            invariant,
            request,
            hunt=lambda: all_findings(Subject(self.canonicalize), max_examples=self.max_examples, seed=self.seed),
            xfails=self.xfails,
        )
