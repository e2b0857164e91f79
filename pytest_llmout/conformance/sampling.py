"""Drawing texts from a strategy outside a test."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

T = TypeVar("T")


def samples(strategy: SearchStrategy[T], count: int, *, seed: int) -> list[T]:
    """Return up to `count` examples, the same for the same seed."""
    drawn: list[T] = []

    @seeded(seed)
    @settings(
        max_examples=max(count, 1),
        phases=[Phase.generate],
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def draw(example: T) -> None:
        drawn.append(example)

    draw()
    return drawn[:count]
