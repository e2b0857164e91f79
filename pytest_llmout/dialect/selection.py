"""What is compared with what: sides read from disk, and their groups matched."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from pytest_llmout.corpus.store import read_records, shipped_corpus
from pytest_llmout.dialect.baseline import read_baseline
from pytest_llmout.dialect.groups import check_keys
from pytest_llmout.dialect.profile import profiles
from pytest_llmout.dialect.text_table import label
from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Match:
    """One group of the baseline and the group that answers to it."""

    name: str
    baseline: pd.DataFrame
    days: tuple[tuple[str, pd.DataFrame], ...]
    """The candidate's replies, named, one profile for each day, in the order of time."""


def corpus_path(argument: str) -> Path:
    """Return where the replies are that an argument names: standard input for `-`, the shipped corpus for nothing."""
    match argument:
        case "":
            return shipped_corpus()
        case "-":
            return Path("/dev/stdin")
        case _:
            return Path(argument)


def read_side(argument: str) -> pd.DataFrame:
    """Profile the replies that `PATH::key=value,key=value` names.

    Args:
        argument: A corpus, or a baseline file (`.json`), and after `::` which of its replies; both may be left out.

    Raises:
        UsageError: A key is unknown, nothing can be read there, or no reply is left.
    """
    place, _, conditions = argument.partition("::")
    path = corpus_path(place)
    frame = (
        read_baseline(path) if path.suffix == ".json" else pd.concat([*profiles(read_records(path)), pd.DataFrame()])
    )
    for condition in filter(None, conditions.split(",")):
        key, _, value = condition.partition("=")
        check_keys([key])
        values = frame[key].unique()
        frame = frame[frame[key] == value]
        if frame.empty:
            raise UsageError(f"{argument}: no reply with {key}={value}; there are {', '.join(sorted(values))}")
    if frame.empty:
        raise UsageError(f"{argument}: no replies there")
    return frame


def match_groups(baseline: pd.DataFrame, candidate: pd.DataFrame, *, by: Sequence[str]) -> list[Match]:
    """Match the groups of two sides: by name, or as they are if either side has one only.

    Raises:
        UsageError: A group of the baseline holds several days, or no group answers to another.
    """
    daily = "date" in by
    keys = [key for key in check_keys(by) if key != "date"] or ["model"]
    sides = [dict(list(frame.groupby(keys, sort=True))) for frame in (baseline, candidate)]
    pairs = [(key, key) for key in sides[0] if key in sides[1]]
    if len(sides[0]) == len(sides[1]) == 1:
        pairs = list(zip(*sides, strict=True))
    if not pairs:
        names = ["; ".join(label(key) for key in side) for side in sides]
        raise UsageError(
            f"no group of the candidate ({names[1]}) is in the baseline ({names[0]}): choose one of each side with ::"
        )
    return [_match(sides[0][one], label(one), sides[1][other], label(other), daily=daily) for one, other in pairs]


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
