"""Counts of the features of one profile, which add up; apart from the rates, so that a worker need not load scipy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from pytest_llmout.dialect.families import FEATURES

if TYPE_CHECKING:
    from collections.abc import Sequence

NAMES = list(FEATURES)


def count_features(frame: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Count the features of each group of one profile: `n`, `replies` and `total`, by the keys and `feature`."""
    keys = list(by)
    if frame.empty:
        return pd.DataFrame()
    values = frame[NAMES].to_numpy(dtype=np.float64, na_value=np.nan)
    counted = {"n": ~np.isnan(values), "replies": values > 0, "total": np.nan_to_num(values)}
    groups = [frame[key].to_numpy() for key in keys]
    sums = {name: pd.DataFrame(table, columns=NAMES).groupby(groups).sum() for name, table in counted.items()}
    parts = {name: table.rename_axis(index=keys, columns="feature").stack() for name, table in sums.items()}  # noqa: PD013  melt would lose the groups
    return pd.DataFrame(parts)
