"""Summaries: how often each group of replies shows each feature."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from pytest_llmout.dialect.counting import NAMES, count_features
from pytest_llmout.dialect.groups import DEFAULT_KEYS, check_keys
from pytest_llmout.dialect.intervals import wilson
from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def summarise(frames: Iterable[pd.DataFrame], *, by: Sequence[str] = DEFAULT_KEYS) -> pd.DataFrame:
    """Count the features of each group over a stream of profiles.

    Returns:
        One row for each group and feature, sorted by group: the keys of `by`, `feature`, `n` (replies that the
        feature applies to), `replies` (those that show it), `total`, `share` (replies / n), `low` and `high` (the
        Wilson interval of the share at 95 %) and `mean` (total / n). With n = 0 the last four are null.

    Raises:
        UsageError: `by` names no key, or there are no replies.
    """
    keys = check_keys(by)
    return summarise_counts((count_features(frame, keys) for frame in frames), by=keys)


def summarise_counts(parts: Iterable[pd.DataFrame], *, by: Sequence[str] = DEFAULT_KEYS) -> pd.DataFrame:
    """Add up what `count_features` counted in each part of a corpus, in any order, and return what `summarise` does.

    Raises:
        UsageError: `by` names no key, or there are no replies.
    """
    keys = list(check_keys(by))
    sums: pd.DataFrame | None = None
    for part in parts:
        if len(part):
            sums = part if sums is None else sums.add(part, fill_value=0)
    if sums is None:
        raise UsageError("no replies to summarise: the corpus is empty")
    return _rates(sums.sort_index(kind="stable").astype("int64").reset_index(), keys)


def _rates(table: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    known = table["n"] > 0
    table["share"] = (table["replies"] / table["n"]).where(known).round(4)
    bounds = [wilson(replies, n) for replies, n in zip(table["replies"], table["n"], strict=True)]
    table["low"] = [round(low, 4) for low, _ in bounds]
    table["high"] = [round(high, 4) for _, high in bounds]
    table["mean"] = (table["total"] / table["n"]).where(known).round(4)
    table["feature"] = pd.Categorical(table["feature"], NAMES, ordered=True)
    return table.sort_values([*keys, "feature"], ignore_index=True).astype({"feature": "str"})
