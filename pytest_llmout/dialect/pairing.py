"""Replies of two sides brought together as independent units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pytest_llmout.dialect.families import FEATURES
from pytest_llmout.dialect.significance import Units

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

NAMES = list(FEATURES)
_COUNTS = [name for name, feature in FEATURES.items() if not feature.binary]

_GRID = 2.0**28
"""Values of units are rounded to one part in this many, so that sums of up to a million of them are exact: equal sums
are then equal on every processor and in every order, and resampling, which counts what ties, gives one interval."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """Two profiles, unit by unit."""

    paired: bool
    prompts: int
    """Prompts that both sides answered."""
    left_out: int
    """Prompts that only one side answered, if the sides are paired."""
    units: dict[str, Units]
    """Of each feature that any reply shows: a flag as 0 or 1 or a rate, a count as the mean of log(1 + count)."""
    means: dict[str, tuple[float, float]]
    """Of the same features: the mean over the units of each side, as counted."""
    shares: dict[str, tuple[float, float]]
    """Of the same features: the share of each side's replies that show them."""


def align(baseline: pd.DataFrame, candidate: pd.DataFrame) -> Alignment:
    """Bring two profiles together.

    Prompts are the units, since samples of one prompt go together; they are paired if the sides have at least half of
    the smaller one's prompts in common. If there is one and the same prompt on both sides, its replies are the units.

    Counts are compared by their logarithm: otherwise one reply that repeats a line two hundred times drowns the rest.
    """
    one, other = set(baseline["prompt_id"]), set(candidate["prompt_id"])
    common = sorted(one & other)
    whole = len(one | other) == 1
    paired = not whole and len(common) > 1 and 2 * len(common) >= min(len(one), len(other))
    counted, scaled = (
        [_by_unit(frame, whole=whole, only=common if paired else None) for frame in frames]
        for frames in ((baseline, candidate), (_logarithmic(baseline), _logarithmic(candidate)))
    )
    known = {name: _known(scaled, name, paired=paired) for name in NAMES}
    shown = [name for name, (left, right) in known.items() if len(left) and len(right) and (left.any() or right.any())]
    means = {name: _known(counted, name, paired=paired) for name in shown}
    return Alignment(
        paired,
        len(common),
        len(one ^ other) if paired else 0,
        {name: _units(name, *known[name], paired=paired) for name in shown},
        {name: (float(left.mean()), float(right.mean())) for name, (left, right) in means.items()},
        {name: (_share(baseline[name]), _share(candidate[name])) for name in shown},
    )


def _share(values: pd.Series[int]) -> float:
    known = values.dropna()
    return float((known > 0).mean()) if len(known) else 0.0


def _logarithmic(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.assign(**{name: np.log1p(frame[name].astype("Float64")) for name in _COUNTS})


def _by_unit(frame: pd.DataFrame, *, whole: bool, only: list[str] | None) -> pd.DataFrame:
    """Return one row for each unit: each reply of the only prompt, or the means of each prompt's replies."""
    values = frame.set_index("prompt_id")[NAMES].astype("Float64")
    means = values if whole else values.groupby(level=0).mean()
    return means if only is None else means.loc[only]


def _known(sides: list[pd.DataFrame], name: str, *, paired: bool) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the values of both sides without units that the feature does not apply to.

    Pairs stay pairs, in the order of their prompts. What is not paired is sorted, so that no order of replies matters.
    """
    one, other = (side[name].to_numpy(dtype=np.float64, na_value=np.nan) for side in sides)
    if not paired:
        return np.sort(one[~np.isnan(one)]), np.sort(other[~np.isnan(other)])
    known = ~(np.isnan(one) | np.isnan(other))
    return one[known], other[known]


def _units(name: str, *sides: NDArray[np.float64], paired: bool) -> Units:
    one, other = (np.round(side * _GRID) / _GRID for side in sides)
    single = bool(np.isin(np.concatenate([one, other]), (0, 1)).all())
    return Units(one, other, paired, FEATURES[name].binary and single)
