"""Intervals: of a rate, and of the difference between two sides."""

from __future__ import annotations

import warnings
from math import nan, sqrt
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import DegenerateDataWarning, binomtest, bootstrap

from pytest_llmout.dialect.significance import HELD

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pytest_llmout.dialect.significance import Units

Interval = tuple[float, float]

_RESAMPLES = 1_999
_SEED = 20_260_101


def wilson(successes: int, n: int, *, confidence: float = 0.95) -> Interval:
    """Return the Wilson interval of a rate; not-a-number for 0 of 0."""
    if n == 0:
        return nan, nan
    interval = binomtest(successes, n).proportion_ci(confidence, method="wilson")
    return float(interval.low), float(interval.high)


def difference(units: Units, *, confidence: float) -> Interval:
    """Return the interval of mean(candidate) - mean(baseline), in the feature's own unit.

    Flags: Newcombe's method 10, from two Wilson intervals (Statistics in Medicine 17, 1998: pages 873-890 for
    independent rates, 2635-2650 for paired ones). The rest: bootstrap over units, bias-corrected and accelerated.
    """
    if units.n == 0:
        return nan, nan
    return _newcombe(units, confidence) if units.binary else _bootstrap(units, confidence)


def _newcombe(units: Units, confidence: float) -> Interval:
    sides = units.baseline, units.candidate
    p1, p2 = (float(side.mean()) for side in sides)
    (l1, u1), (l2, u2) = (wilson(int(side.sum()), len(side), confidence=confidence) for side in sides)
    phi = _phi(units) if units.paired else 0.0

    def reach(one: float, other: float) -> float:
        return sqrt(max(one**2 - 2 * phi * one * other + other**2, 0.0))

    return p2 - p1 - reach(p2 - l2, u1 - p1), p2 - p1 + reach(u2 - p2, p1 - l1)


def _phi(units: Units) -> float:
    """Return the correlation of paired flags as Newcombe takes it: corrected for continuity where it is positive."""
    n = len(units.baseline)
    both = float((units.baseline * units.candidate).sum())
    ones, others = float(units.baseline.sum()), float(units.candidate.sum())
    scale = ones * (n - ones) * others * (n - others)
    if scale == 0:
        return 0.0
    covariance = both * n - ones * others
    return (max(covariance - n / 2, 0.0) if covariance > 0 else covariance) / sqrt(scale)


def _bootstrap(units: Units, confidence: float) -> Interval:
    samples = (units.differences,) if units.paired else (units.baseline, units.candidate)
    if any(len(sample) < 2 for sample in samples):  # noqa: PLR2004  nothing to resample
        return -np.inf, np.inf
    if all((sample == sample[0]).all() for sample in samples):
        middle = float(_shift(*samples))
        return middle, middle
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DegenerateDataWarning)
        result = bootstrap(
            samples,
            _shift,
            vectorized=True,
            n_resamples=_RESAMPLES,
            batch=max(HELD // max(map(len, samples)), 1),
            confidence_level=confidence,
            rng=_SEED,
        )
    low, high = result.confidence_interval
    return float(low), float(high)


def _shift(*samples: NDArray[np.float64], axis: int = -1) -> NDArray[np.float64]:
    """Return the mean difference: of paired differences themselves, or of two sides."""
    means = [sample.mean(axis=axis) for sample in samples]
    return np.asarray(means[-1] - means[0] if len(means) > 1 else means[0])
