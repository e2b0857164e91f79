"""What a comparison can find: its power, the replies it takes, and the smallest change it would have found."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import ceil, sqrt
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import binom, norm

if TYPE_CHECKING:
    from collections.abc import Callable

LARGEST = 100_000
"""Pairs beyond which a number is no longer searched for."""

_STEPS = 1_000
"""Changes of a rate are searched in tenths of a percentage point."""


@dataclass(frozen=True, slots=True)
class Demand:
    """What a comparison has to reach."""

    level: float = 0.05
    """The p of a discovery; with several features, the level divided by their number is what one alone must reach."""
    power: float = 0.80
    """The probability to find a change that is there."""


def rate_power(pairs: int, rate: float, changed: float, level: float) -> float:
    """Return the probability that the exact McNemar test finds a change of a rate.

    Args:
        pairs: Prompts answered by both sides, one reply each.
        rate: The share of replies with the feature before.
        changed: The share after. The two replies of a pair are taken as independent: pairs that go together, as those
            of one prompt mostly do, only make the test stronger.
        level: The p that must be reached.
    """
    gained, lost = changed * (1 - rate), rate * (1 - changed)
    moved = gained + lost
    if moved == 0:
        return 0.0
    counts = np.arange(pairs + 1)
    # The largest number of losses among so many discordant pairs that the test still rejects at; -1 if none does.
    edge = binom.ppf(level / 2, counts, 0.5)
    edge = np.where(2 * binom.cdf(edge, counts, 0.5) <= level, edge, edge - 1)
    share = gained / moved
    rejected = binom.cdf(edge, counts, share) + binom.cdf(edge, counts, 1 - share)
    return float((binom.pmf(counts, pairs, moved) * rejected).sum())


@cache
def rate_pairs(rate: float, changed: float, demand: Demand) -> int | None:
    """Return the fewest pairs that find a change of a rate; `None` beyond `LARGEST`."""
    return _least(LARGEST, lambda pairs: rate_power(pairs, rate, changed, demand.level) >= demand.power)


@cache
def rate_detectable(pairs: int, rate: float, demand: Demand) -> float | None:
    """Return the smallest change of a rate that so many pairs find, towards one half, which is the harder direction.

    `None` if they find none.
    """
    sign = 1 if rate <= 0.5 else -1  # noqa: PLR2004  one half
    room = int(max(rate, 1 - rate) * _STEPS)
    step = _least(room, lambda step: rate_power(pairs, rate, rate + sign * step / _STEPS, demand.level) >= demand.power)
    return None if step is None else step / _STEPS


def mean_pairs(effect: float, spread: float, demand: Demand) -> int:
    """Return the pairs that find a change of a mean, by the normal approximation.

    Args:
        effect: The change, other than 0.
        spread: The standard deviation of the differences within pairs, in the unit of `effect`.
        demand: What to reach.
    """
    return max(2, ceil((_quantiles(demand) * spread / effect) ** 2))


def mean_detectable(pairs: int, spread: float, demand: Demand) -> float | None:
    """Return the smallest change of a mean that so many pairs find, by the normal approximation.

    `None` if it is unknown: no pair tells how much they differ.
    """
    return _quantiles(demand) * spread / sqrt(pairs) if pairs and spread else None


def _quantiles(demand: Demand) -> float:
    return float(norm.isf(demand.level / 2) + norm.isf(1 - demand.power))


def _least(largest: int, enough: Callable[[int], bool]) -> int | None:
    """Return the smallest number from 1 to `largest` that is enough, if one is; what is larger is enough as well."""
    high = 1
    while high < largest and not enough(high):
        high = min(2 * high, largest)
    low = high // 2
    if largest < 1 or not enough(high):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
