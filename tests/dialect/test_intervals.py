from __future__ import annotations

import math

import numpy as np
import pytest

from pytest_llmout.dialect.intervals import difference, wilson
from pytest_llmout.dialect.significance import Units


def flags(*runs: tuple[int, int]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return values in runs of (how many, 0 or 1)."""
    return np.array([float(value) for count, value in runs for _ in range(count)])


def test_independent_rates_as_newcombe_published_them() -> None:
    units = Units(flags((48, 1), (32, 0)), flags((56, 1), (14, 0)), paired=False, binary=True)
    assert difference(units, confidence=0.95) == pytest.approx((0.0524, 0.3339), abs=5e-5)


def test_paired_rates_as_newcombe_published_them() -> None:
    units = Units(flags((36, 1), (12, 0), (2, 1)), flags((36, 1), (12, 1), (2, 0)), paired=True, binary=True)
    assert difference(units, confidence=0.95) == pytest.approx((0.0569, 0.3404), abs=5e-5)


@pytest.mark.parametrize("paired", [True, False])
def test_counts_are_bootstrapped_round_their_difference(*, paired: bool) -> None:
    rng = np.random.default_rng(1)
    one = rng.poisson(3, 80).astype(float)
    low, high = difference(Units(one, one + rng.poisson(2, 80), paired=paired, binary=False), confidence=0.95)
    assert 1 < low < 2 < high < 3


def test_too_few_units_say_nothing() -> None:
    one = np.array([1.0])
    assert difference(Units(one, one, paired=True, binary=False), confidence=0.95) == (-math.inf, math.inf)
    assert all(map(math.isnan, difference(Units(one[:0], one[:0], paired=True, binary=False), confidence=0.95)))


def test_wilson_of_nothing_is_no_number() -> None:
    assert all(map(math.isnan, wilson(0, 0)))
    assert wilson(1, 10) == pytest.approx((0.0179, 0.4042), abs=5e-5)
