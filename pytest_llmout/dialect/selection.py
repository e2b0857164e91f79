"""What is compared with what: replies chosen by their keys, and the groups of two sides matched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_llmout.dialect.groups import check_keys
from pytest_llmout.dialect.text_table import label
from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd


@dataclass(frozen=True, slots=True)
class Match:
    """One group of the baseline and the group that answers to it."""

    name: str
    baseline: pd.DataFrame
    days: tuple[tuple[str, pd.DataFrame], ...]
    """The candidate's replies, named, one profile for each day, in the order of time."""


def choose(frame: pd.DataFrame, conditions: str) -> pd.DataFrame:
    """Return the replies of a profile that `key=value,key=value` names; all of them for nothing.

    Raises:
        UsageError: A key is unknown or has no value, or no reply is left.
    """
    for condition in filter(None, conditions.split(",")):
        key, equals, value = condition.partition("=")
        check_keys([key])
        if not equals:
            raise UsageError(f"{condition} says no value: a condition is key=value")
        values = frame[key].unique()
        frame = frame[frame[key] == value]
        if frame.empty:
            raise UsageError(f"no reply with {key}={value}; there are {', '.join(sorted(values))}")
    if frame.empty:
        raise UsageError("no replies there")
    return frame


@dataclass(frozen=True, slots=True)
class Matching:
    """The groups of two sides, brought together."""

    matches: list[Match]
    only_baseline: list[str]
    """Groups of the baseline that nothing answers to."""
    only_candidate: list[str]


def match_groups(baseline: pd.DataFrame, candidate: pd.DataFrame, *, by: Sequence[str]) -> Matching:
    """Match the groups of two sides: by name, or as they are if each side has one only.

    Raises:
        UsageError: A group of the baseline holds several days, or no group answers to another.
    """
    daily = "date" in by
    keys = [key for key in check_keys(by) if key != "date"] or ["model"]
    one, other = (dict(list(frame.groupby(keys, sort=True))) for frame in (baseline, candidate))
    if len(one) == len(other) == 1:
        pairs = list(zip(one, other, strict=True))
    else:
        pairs = [(key, key) for key in one if key in other]
    matched = {key for pair in pairs for key in pair}
    left = [[label(key) for key in side if key not in matched] for side in (one, other)]
    if not pairs:
        raise UsageError(
            f"no group of the candidate ({'; '.join(left[1])}) is in the baseline ({'; '.join(left[0])}): "
            "choose one of each side with ::"
        )
    return Matching([_match(one[key], label(key), other[to], label(to), daily=daily) for key, to in pairs], *left)


def _match(baseline: pd.DataFrame, name: str, candidate: pd.DataFrame, other: str, *, daily: bool) -> Match:
    if not daily:
        return Match(name, baseline, ((other, candidate),))
    dates = sorted(baseline["date"].unique())
    if len(dates) > 1:
        raise UsageError(
            f"the baseline of {name} holds replies of {len(dates)} days: choose one with ::date={dates[-1]}, "
            "or pool them with --by model,configuration"
        )
    days = tuple((label([other, date]), day) for date, day in candidate.groupby("date", sort=True))
    return Match(label([name, dates[0]]), baseline, days)
