"""Drift: whether a candidate writes otherwise than a baseline, feature by feature."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from math import ceil, copysign, log, log2
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import binomtest

from pytest_llmout.dialect.discovery import Discovery, Limits, discover
from pytest_llmout.dialect.intervals import Interval, difference
from pytest_llmout.dialect.pairing import Alignment, align
from pytest_llmout.dialect.power import Demand, mean_detectable, mean_pairs, rate_detectable, rate_pairs
from pytest_llmout.dialect.sequence import change_began, level_at

if TYPE_CHECKING:
    import pandas as pd

    from pytest_llmout.dialect.significance import Units


class Verdict(StrEnum):
    """What can be said of one feature."""

    DRIFT = "drift"
    """Significant, and past the minimum effect."""
    SAME = "same"
    """The interval of the difference lies within the minimum effect."""
    TOO_FEW = "too few"
    """Neither can be said from so few replies."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FeatureDrift:
    """One feature on two sides. Means of flags are rates."""

    feature: str
    verdict: Verdict
    baseline: float
    """The mean over units."""
    candidate: float
    shares: tuple[float, float]
    """The share of replies that show the feature at all, on both sides."""
    n: int
    """Independent units: pairs, or those of the smaller side."""
    effect: float
    """candidate - baseline: of a flag, in rates; of a count, in logarithms over their standard deviation."""
    interval: Interval
    """Of the effect, at 1 - level."""
    minimum: float
    """The smallest effect that matters for this feature."""
    test: str
    p: float
    q: float
    """p adjusted for the number of features: the smallest level at which it is a discovery."""
    needed: int | None
    """Units that it would take to find the effect seen, or the smallest that matters if that is larger."""
    detectable: float | None
    """The smallest effect that so many units would have found; `None` if not even the largest."""
    began: str | None = None
    """Of a feature that drifted: the id of the candidate's reply from which on it did."""

    @property
    def weight(self) -> float:
        """How many times the smallest effect that matters the effect is: what rates and counts are ordered by."""
        return abs(self.effect) / self.minimum


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two groups of replies, compared."""

    baseline: str
    candidate: str
    paired: bool
    prompts: int
    """Prompts that both sides answered."""
    left_out: int
    """Prompts that only one side answered, if the sides are paired."""
    look: int | None
    """The how many-th of a series of comparisons with this baseline it is; `None` if it stands alone."""
    level: float
    """The false discovery rate that this look was held to."""
    payloads: tuple[int, int]
    """Of so many prompts whose JSON could be read on both sides, how many gave the same payloads."""
    features: tuple[FeatureDrift, ...]
    """Every feature that any reply shows, the weightiest first."""

    def having(self, verdict: Verdict) -> tuple[FeatureDrift, ...]:
        """Return the features of one verdict."""
        return tuple(feature for feature in self.features if feature.verdict is verdict)


def compare(
    baseline: pd.DataFrame,
    candidate: pd.DataFrame,
    *,
    names: tuple[str, str],
    limits: Limits | None = None,
    look: int | None = None,
) -> Comparison:
    """Compare two profiles that each hold one group of replies; `align` says what is held against what.

    Args:
        baseline: Rows of `profile`.
        candidate: Rows of `profile`.
        names: What to call the two.
        limits: What counts as drift.
        look: The how many-th of a series of comparisons with this baseline it is; each is held to a stricter level.
    """
    limits = limits or Limits()
    limits = replace(limits, level=level_at(look, limits.level))
    alignment = align(baseline, candidate)
    return Comparison(
        *names,
        paired=alignment.paired,
        prompts=alignment.prompts,
        left_out=alignment.left_out,
        look=look,
        level=limits.level,
        payloads=_equal_payloads(baseline, candidate),
        features=tuple(_dated(one, baseline, candidate) for one in judge_features(alignment, limits)),
    )


def _dated(one: FeatureDrift, baseline: pd.DataFrame, candidate: pd.DataFrame) -> FeatureDrift:
    if one.verdict is not Verdict.DRIFT:
        return one
    return replace(one, began=change_began(baseline, candidate, one.feature))


def _equal_payloads(baseline: pd.DataFrame, candidate: pd.DataFrame) -> tuple[int, int]:
    one, other = (
        frame[frame["payload"] != ""].groupby("prompt_id")["payload"].agg(frozenset).to_dict()
        for frame in (baseline, candidate)
    )
    common = one.keys() & other.keys()
    return sum(one[prompt] == other[prompt] for prompt in common), len(common)


def judge_features(alignment: Alignment, limits: Limits) -> tuple[FeatureDrift, ...]:
    """Test and judge every feature that any reply shows, the weightiest first."""
    found = discover(alignment.units, limits)
    judged = [_judge(name, discovery, alignment, limits) for name, discovery in found.items()]
    return tuple(sorted(judged, key=lambda one: (-one.weight, one.feature)))


def _judge(name: str, found: Discovery, alignment: Alignment, limits: Limits) -> FeatureDrift:
    units = alignment.units[name]
    low, high = (bound / found.scale for bound in difference(units, confidence=1 - limits.level))
    verdict = _verdict(found, (low, high), units.n, limits)
    needed, detectable = _reach(units, found, limits, len(alignment.units))
    one, other = alignment.means[name]
    return FeatureDrift(
        feature=name,
        verdict=verdict,
        baseline=one,
        candidate=other,
        shares=alignment.shares[name],
        n=units.n,
        effect=found.effect,
        interval=(low, high),
        minimum=found.minimum,
        test=found.test,
        p=found.p,
        q=found.q,
        needed=needed if verdict is Verdict.TOO_FEW else None,
        detectable=detectable,
    )


def _reach(units: Units, found: Discovery, limits: Limits, features: int) -> tuple[int | None, float | None]:
    """Return the units that it takes to find an effect, and the smallest effect that these units find."""
    demand = Demand(limits.level / features, limits.power)
    wanted = copysign(max(abs(found.effect), found.minimum), found.effect)
    if units.binary:
        rate = float(units.baseline.mean())
        changed = rate + wanted if 0 <= rate + wanted <= 1 else rate - wanted
        return rate_pairs(rate, min(max(changed, 0.0), 1.0), demand), rate_detectable(units.n, rate, demand)
    sides = (units.differences,) if units.paired else (units.baseline, units.candidate)
    spread = float(np.sqrt(sum(side.var() for side in sides))) / found.scale
    # Below that many pairs neither verdict is possible, however they fall.
    fewest = ceil(max(1 - log2(demand.level), log(limits.level / 2) / log(1 - limits.rate_effect)))
    return max(mean_pairs(wanted, spread, demand), fewest), mean_detectable(units.n, spread, demand)


def _verdict(found: Discovery, interval: Interval, n: int, limits: Limits) -> Verdict:
    if found.drifts:
        return Verdict.DRIFT
    low, high = interval
    within = -found.minimum <= low and high <= found.minimum
    return Verdict.SAME if within and _unseen(n, limits.level) <= limits.rate_effect else Verdict.TOO_FEW


def _unseen(n: int, level: float) -> float:
    """Return the share of prompts that may have changed although none of `n` did: what a bootstrap cannot know."""
    return float(binomtest(0, n).proportion_ci(1 - level, method="exact").high) if n else 1.0
