"""Ways to hold an output type to the invariants."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import pytest

from pytest_llmout.conformance.finding import ConformanceError
from pytest_llmout.conformance.output_hunt import all_findings, first_finding, replies_for
from pytest_llmout.conformance.output_invariants import NAMES
from pytest_llmout.conformance.suite import hold

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypothesis.strategies import SearchStrategy

    from pytest_llmout.contract import OutputType
    from pytest_llmout.strategies import Fault

DEFAULT_EXAMPLES = 100


def check_output_type(
    output_type: OutputType[Any],
    *,
    replies: SearchStrategy[str] | None = None,
    faults: Sequence[Fault] | None = None,
    max_examples: int = DEFAULT_EXAMPLES,
    seed: int = 0,
) -> None:
    """Look for a reply that an output type gets wrong.

    Args:
        output_type: The output type.
        replies: Replies that keep its contract; by default made from the JSON Schema in its `request_hint`.
        faults: Ways to break these replies; by default those of `pytest_llmout.strategies.FAULTS` that a JSON type must
            refuse.
        max_examples: How many replies are generated; some fixed ones come first.
        seed: What the generated replies depend on.

    Raises:
        ConformanceError: One was found; of those found, the error tells the most basic one.
    """
    given = replies_for(output_type, replies=replies, faults=faults, max_examples=max_examples, seed=seed)
    if finding := first_finding(output_type, given):
        raise ConformanceError(finding)


class OutputTypeSuite:
    """One test for each invariant: subclass it in a test module as `Test…` and set `output_type`."""

    output_type: ClassVar[OutputType[Any]]
    """The output type."""
    replies: ClassVar[SearchStrategy[str] | None] = None
    """Replies that keep its contract; by default made from the JSON Schema in its `request_hint`."""
    faults: ClassVar[Sequence[Fault] | None] = None
    """Ways to break these replies."""
    max_examples: ClassVar[int] = DEFAULT_EXAMPLES
    """How many replies are generated."""
    seed: ClassVar[int] = 0
    """What the generated replies depend on."""
    xfails: ClassVar[Mapping[str, str]] = {}
    """Invariants that are known to be broken, each with the reason; one that holds after all fails its test."""

    @pytest.mark.parametrize("invariant", NAMES)
    def test_invariant(self, invariant: str, request: pytest.FixtureRequest) -> None:
        """Hold one invariant."""
        replies = replies_for(
            self.output_type,
            replies=self.replies,
            faults=self.faults,
            max_examples=self.max_examples,
            seed=self.seed,
        )
        hold(type(self), invariant, request, hunt=lambda: all_findings(self.output_type, replies), xfails=self.xfails)
