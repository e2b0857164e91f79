"""Whether a difference is more than chance: exact tests of scipy for paired and for unpaired replies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import binomtest, fisher_exact, mannwhitneyu, permutation_test, rankdata

if TYPE_CHECKING:
    from numpy.typing import NDArray

RESAMPLES = 9_999
"""Sign flips that a permutation test draws where it cannot go through all of them."""

_FEW = 20
"""Units of the smaller side up to which ranks are permuted: the normal distribution is wrong there, the more so with
ties (one reply against forty would reach a p of 1e-9, where 1/41 is the least that there can be)."""

_BATCH = 100
"""Permutations held at once, since the other side may be large."""

HELD = 2**20
"""Resampled values held at once, since there may be many units."""

_SEED = 20_260_101
"""The same replies give the same p."""


@dataclass(frozen=True, slots=True)
class Units:
    """The values of one feature, one for each independent unit: a prompt, or a reply of the only prompt there is."""

    baseline: NDArray[np.float64]
    candidate: NDArray[np.float64]
    paired: bool
    """Whether the two arrays hold the same prompts in the same order."""
    binary: bool
    """Whether every value is 0 or 1: a flag, and one reply for each prompt."""

    @property
    def n(self) -> int:
        """Pairs, or the units of the smaller side."""
        return min(len(self.baseline), len(self.candidate))

    @property
    def differences(self) -> NDArray[np.float64]:
        """Candidate minus baseline of each pair."""
        return self.candidate - self.baseline


def p_value(units: Units, *, resamples: int = RESAMPLES) -> tuple[str, float]:
    """Return the name and the two-sided p of the test that fits: 1 where there is nothing to test.

    Paired flags: McNemar, exact. Paired counts, and rates of several samples of a prompt: sign flips of the differences
    between prompts. Unpaired flags: Fisher. Unpaired counts: Mann-Whitney.
    """
    match units.paired, units.binary:
        case True, True:
            return "McNemar", _mcnemar(units.differences)
        case True, False:
            return "sign flips", _sign_flips(units.differences, resamples)
        case False, True:
            return "Fisher", _fisher(units)
        case _:
            return "Mann-Whitney", _mann_whitney(units, resamples)


def _mcnemar(differences: NDArray[np.float64]) -> float:
    gained, lost = int((differences > 0).sum()), int((differences < 0).sum())
    return float(binomtest(gained, gained + lost).pvalue) if gained + lost else 1.0


def _sign_flips(differences: NDArray[np.float64], resamples: int) -> float:
    moved = differences[differences != 0]  # flipping the sign of a pair that did not move changes nothing
    if len(moved) < 2:  # noqa: PLR2004  one pair, flipped or not, is as far from zero
        return 1.0
    result = permutation_test(
        (moved,),
        np.sum,
        permutation_type="samples",
        vectorized=True,
        n_resamples=resamples,
        batch=max(HELD // len(moved), 1),
        rng=_SEED,
    )
    return float(result.pvalue)


def _fisher(units: Units) -> float:
    table = [[side.sum(), len(side) - side.sum()] for side in (units.baseline, units.candidate)]
    return float(fisher_exact(np.array(table, dtype=np.int64)).pvalue) if units.n else 1.0


def _mann_whitney(units: Units, resamples: int) -> float:
    values = np.concatenate([units.baseline, units.candidate])
    if units.n == 0 or (values == values[0]).all():
        return 1.0
    if units.n > _FEW:
        return float(mannwhitneyu(units.baseline, units.candidate).pvalue)
    if units.n == 1:
        lone = min(units.baseline, units.candidate, key=len)[0]
        return float(min(1.0, 2 * (values <= lone).mean(), 2 * (values >= lone).mean()))
    ranks = rankdata(values)
    result = permutation_test(
        (ranks[: len(units.baseline)], ranks[len(units.baseline) :]),
        _first_mean,
        vectorized=True,
        n_resamples=resamples,
        batch=_BATCH,
        rng=_SEED,
    )
    return float(result.pvalue)


def _first_mean(ranks: NDArray[np.float64], _others: NDArray[np.float64], axis: int) -> NDArray[np.float64]:
    means: NDArray[np.float64] = ranks.mean(axis=axis)
    return means
