"""The baseline file: profiles of accepted replies, without their text, that a repository can hold."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pandas as pd

from pytest_llmout.corpus.store import replace_file
from pytest_llmout.dialect.families import FEATURES
from pytest_llmout.dialect.profile import COLUMNS, DTYPES, IDENTITY, JSON_DETAILS
from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

FILE = "llmout-baseline.json"

_VERSION = 1
_GROUP = ["model", "configuration"]


def read_baseline(path: Path) -> pd.DataFrame:
    """Read the profiles of a baseline file; a feature that it was written without is null.

    Raises:
        UsageError: There is no such file, or it is not a baseline.
    """
    try:
        content = json.loads(path.read_bytes())
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}; `llmout baseline update` writes it") from error
    except ValueError as error:
        raise UsageError(f"{path}: not a baseline: {error}") from error
    if not isinstance(content, dict) or content.get("version") != _VERSION:
        raise UsageError(f"{path}: not a baseline of version {_VERSION}: `llmout baseline update` writes it")
    known = content["features"]
    rows = [dict.fromkeys(known, 0) | row.pop("features") | row for row in content["replies"]]
    return pd.DataFrame(rows, columns=COLUMNS).astype(DTYPES)


def write_baseline(path: Path, frame: pd.DataFrame) -> None:
    """Replace a baseline file whole; one line a reply, sorted, so that a change of it can be reviewed."""
    rows = frame.sort_values(["model", "configuration", "date", "prompt_id", "sample", "id"]).to_dict("records")
    lines = ",\n".join(json.dumps(_row(row)) for row in rows)
    head = f'{{"version": {_VERSION}, "features": {json.dumps(list(FEATURES))}, "replies": [\n'
    replace_file(path, [f"{head}{lines}\n]}}\n".encode()])


def _row(row: dict[Any, Any]) -> dict[str, Any]:
    """Return a reply without the features that it does not show; null, which is not 0, is kept."""
    features = {name: None if pd.isna(row[name]) else int(row[name]) for name in FEATURES}
    return {name: row[name] for name in (*IDENTITY, *JSON_DETAILS)} | {
        "features": {name: value for name, value in features.items() if value != 0}
    }


def updated(baseline: pd.DataFrame, replies: pd.DataFrame) -> pd.DataFrame:
    """Return the baseline with the groups (model, configuration) of `replies` put in place of its own."""
    return pd.concat([baseline[~_in_groups(baseline, replies)], replies], ignore_index=True)


def pruned(baseline: pd.DataFrame, replies: pd.DataFrame) -> pd.DataFrame:
    """Return the baseline without the groups, and without the prompts, that `replies` no longer has."""
    kept = _in_groups(baseline, replies) & baseline["prompt_id"].isin(replies["prompt_id"])
    return baseline[kept]


def _in_groups(frame: pd.DataFrame, other: pd.DataFrame) -> pd.Series[bool]:
    groups = set(other[_GROUP].itertuples(index=False, name=None))
    return pd.Series([group in groups for group in frame[_GROUP].itertuples(index=False, name=None)], frame.index)
