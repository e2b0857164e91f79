"""What a dialect feature is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pytest_llmout.dialect.reply import Reply

FLAG = "reply"
"""The unit of a feature that a reply has or has not."""


@dataclass(frozen=True, slots=True)
class Feature:
    """One habit of writing that can be counted in a reply."""

    name: str
    """The column of a profile."""
    says: str
    """What a model does that shows it, as a predicate without its subject."""
    definition: str
    """One sentence."""
    unit: str
    """What is counted, or `FLAG`."""
    examples: Mapping[str, int | None]
    """Replies and their right values; each is a test."""
    measure: Callable[[Reply], int | None]
    """Counts; `None` where the question does not apply to the reply."""
    kind: str | None = None
    """The kind of node without which the value is 0, so that a profile need not ask."""

    @property
    def binary(self) -> bool:
        """Whether a reply has the feature or has not, so that its mean is a rate."""
        return self.unit == FLAG


def feature(
    *, says: str, unit: str = FLAG, kind: str | None = None, examples: Mapping[str, int | None]
) -> Callable[[Callable[[Reply], int | None]], Feature]:
    """Make a counting function a feature: its name is the column, its docstring the definition."""

    def decorate(measure: Callable[[Reply], int | None]) -> Feature:
        definition = " ".join((measure.__doc__ or "").split())
        return Feature(measure.__name__, says, definition, unit, examples, measure, kind)

    return decorate
