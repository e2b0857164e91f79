"""Ratios of running times that hold on a busy machine."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 400
BURST = 0.0005


def time_ratio(candidate: Callable[[], object], base: Callable[[], object], *, rounds: int = ROUNDS) -> float:
    """Return how many times as long `candidate` takes as `base`.

    Both run in turn, in bursts of half a millisecond, and the best burst of each counts: what other programs take away
    from one burst does not stick to either.
    """
    calls = max(1, int(BURST / _burst(base, 1)))
    best_candidate = best_base = float("inf")
    for _ in range(rounds):
        best_candidate = min(best_candidate, _burst(candidate, calls))
        best_base = min(best_base, _burst(base, calls))
    return best_candidate / best_base


def _burst(call: Callable[[], object], calls: int) -> float:
    begin = perf_counter()
    for _ in range(calls):
        call()
    return perf_counter() - begin
