"""The baseline file: profiles of accepted replies, without their text, that a repository can hold."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Literal

import pandas as pd
from pydantic import BaseModel, ValidationError

from pytest_llmout.corpus.store import replace_file
from pytest_llmout.dialect.families import FEATURES
from pytest_llmout.dialect.profile import COLUMNS, DTYPES, IDENTITY, JSON_DETAILS
from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

FILE = "llmout-baseline.json"

_VERSION = 1
_GROUP = ["model", "configuration"]


class _Reply(BaseModel):
    id: str
    prompt_id: str
    sample: int
    model: str
    configuration: str
    date: str
    family: str
    provider: str
    output: str
    payload: str
    reason: str
    notes: str
    features: dict[str, int | None]
    """What the reply shows; null where a feature does not apply to it."""


class _Baseline(BaseModel):
    version: Literal[1]
    features: list[str]
    """What was counted when the file was written; of these, a reply shows 0 of what it does not list."""
    replies: list[_Reply]


def read_baseline(path: Path) -> pd.DataFrame:
    """Read the profiles of a baseline file; a feature that it was written without is null.

    Raises:
        UsageError: There is no such file, or it is not a baseline.
    """
    try:
        content = _Baseline.model_validate_json(path.read_bytes())
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}; `llmout baseline update` writes it") from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise UsageError(f"{path}: not a baseline: {where + ': ' if where else ''}{first['msg']}") from error
    zeros = dict.fromkeys(content.features, 0)
    rows = [zeros | reply.features | reply.model_dump(exclude={"features"}) for reply in content.replies]
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
