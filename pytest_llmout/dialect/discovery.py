"""Which features changed by more than chance, and by enough to matter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import false_discovery_control

from pytest_llmout.dialect.families import FEATURES
from pytest_llmout.dialect.significance import RESAMPLES, Units, p_value

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What counts as drift."""

    level: float = 0.05
    """The share of false discoveries that is accepted among all features (Benjamini-Hochberg)."""
    rate_effect: float = 0.10
    """The smallest change of a rate that matters: 0.10 is ten percentage points."""
    count_effect: float = 0.20
    """The smallest change of a count that matters, in standard deviations of its logarithm."""
    power: float = 0.80
    """The power that the sizes told beside a verdict are worked out for."""
    resamples: int = RESAMPLES
    """Sign flips of a permutation test."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Discovery:
    """The test of one feature."""

    test: str
    p: float
    q: float
    """p adjusted for the number of features: the smallest level at which it is a discovery."""
    effect: float
    """candidate - baseline: of a flag, in rates; of a count, in logarithms over their standard deviation."""
    scale: float
    """What the difference was divided by."""
    minimum: float
    """The smallest effect that matters for this feature."""
    drifts: bool
    """Whether it is significant and past the minimum effect."""


def discover(units: Mapping[str, Units], limits: Limits) -> dict[str, Discovery]:
    """Test every feature, and control the share of false discoveries among them all."""
    tests = {name: p_value(each, resamples=limits.resamples) for name, each in units.items()}
    adjusted = false_discovery_control([p for _, p in tests.values()]) if tests else ()
    return {
        name: _discovery(name, units[name], tests[name], float(q), limits)
        for name, q in zip(tests, adjusted, strict=True)
    }


def _discovery(name: str, units: Units, tested: tuple[str, float], q: float, limits: Limits) -> Discovery:
    test, p = tested
    flag = FEATURES[name].binary
    scale = 1.0 if flag else float(np.concatenate([units.baseline, units.candidate]).std()) or 1.0
    minimum = limits.rate_effect if flag else limits.count_effect
    effect = float(units.candidate.mean() - units.baseline.mean()) / scale
    drifts = q <= limits.level and abs(effect) >= minimum
    return Discovery(test=test, p=p, q=q, effect=effect, scale=scale, minimum=minimum, drifts=drifts)
