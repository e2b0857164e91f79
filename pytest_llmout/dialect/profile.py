"""Profiles: one row for each reply, one column for each feature."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import pandas as pd

from pytest_llmout.dialect.families import FEATURES
from pytest_llmout.dialect.groups import KEYS
from pytest_llmout.dialect.judgement import judge
from pytest_llmout.dialect.reply import read_reply

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pytest_llmout.corpus.record import ReplyRecord

IDENTITY = ("id", "prompt_id", "sample", *KEYS, "output", "payload")
"""The columns that say whose reply a row is; the rest are the features, in the order of their families.

`payload` is a hash of the canonical JSON, which tells whether two replies say the same however they are written.
"""

_MEASURES = tuple(feature.measure for feature in FEATURES.values())
DTYPES = {"sample": "int64"} | dict.fromkeys(FEATURES, "Int64")


def measure(record: ReplyRecord) -> tuple[str | int | None, ...]:
    """Return the row of one reply: `IDENTITY`, then the features; null where a feature does not apply."""
    judgement = judge(record.raw, record.output)
    reply = read_reply(record.raw, finish_reason=record.finish_reason, judgement=judgement)
    keys = (key(record) for key in KEYS.values())
    output = record.output.type if record.output else ""
    payload = judgement.payload if judgement else ""
    return (record.id, record.prompt_id, record.sample, *keys, output, payload, *(count(reply) for count in _MEASURES))


def profile(records: Iterable[ReplyRecord]) -> pd.DataFrame:
    """Tabulate replies: a pure function of one partition, so that any number of them can run side by side.

    Returns:
        One row for each record in their order; `IDENTITY` and feature columns, the latter nullable integers.
    """
    rows = [measure(record) for record in records]
    return pd.DataFrame.from_records(rows, columns=[*IDENTITY, *FEATURES]).astype(DTYPES)


def profiles(records: Iterable[ReplyRecord], *, rows: int = 4096) -> Iterator[pd.DataFrame]:
    """Tabulate a stream of replies piece by piece, at most `rows` of them in memory at a time."""
    source = iter(records)
    while batch := list(islice(source, rows)):
        yield profile(batch)
