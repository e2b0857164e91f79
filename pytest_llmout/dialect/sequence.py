"""Repeated use of one baseline: a stricter level for each further look, and where a change began."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pandas as pd


def level_at(look: int | None, level: float) -> float:
    """Return the level of the n-th comparison with one baseline: level / (n (n + 1)); `level` for one that stays alone.

    The levels of all looks together, however many, sum to `level`, so by Bonferroni's inequality the chance of any
    false alarm stays below it. Nothing is assumed of how the looks depend on each other, which they do: they share the
    baseline's replies.
    """
    return level if look is None else level / (look * (look + 1))


def change_began(baseline: pd.DataFrame, candidate: pd.DataFrame, feature: str) -> str | None:
    """Return the id of the candidate's reply from which on a feature is most clearly off its baseline.

    Each reply is held against the mean of its prompt in the baseline (of the whole baseline, if it lacks the prompt).
    From which reply on is the tail's sum, divided by the root of its length, the farthest from zero: the estimate of
    Page's cumulative sums for a change from a known mean.

    Args:
        baseline: A profile.
        candidate: A profile in the order of time, of one day or of many.
        feature: A column of both.
    """
    known = candidate[candidate[feature].notna()]
    if known.empty:
        return None
    values = baseline[feature].astype("Float64")
    expected = known["prompt_id"].map(values.groupby(baseline["prompt_id"]).mean()).fillna(values.mean())
    off = (known[feature] - expected).to_numpy(dtype=np.float64, na_value=0.0)
    tails = np.abs(off[::-1].cumsum()[::-1]) / np.sqrt(np.arange(len(off), 0, -1))
    return str(known["id"].iloc[int(tails.argmax())])
