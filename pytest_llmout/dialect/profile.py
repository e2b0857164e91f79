"""Profiles: one row for each reply, one column for each feature."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
from pandas.arrays import IntegerArray

from pytest_llmout.dialect.families import FEATURES
from pytest_llmout.dialect.groups import KEYS
from pytest_llmout.dialect.judgement import judge
from pytest_llmout.dialect.reply import Reply

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pytest_llmout.corpus.record import ReplyRecord

IDENTITY = ("id", "prompt_id", "sample", *KEYS, "output")
"""The columns that say whose reply a row is."""

JSON_DETAILS = ("payload", "reason", "notes")
"""Of a reply that was asked for as JSON, else empty: a hash of its canonical text, which tells whether two replies say
the same however they are written; why it failed; what had to be normalised."""

COLUMNS = (*IDENTITY, *JSON_DETAILS, *FEATURES)
"""Every column of a profile; the features stand in the order of their families."""

_PLAN = tuple((feature.kind, feature.measure) for feature in FEATURES.values())
_TEXTS = len(IDENTITY) + len(JSON_DETAILS)
DTYPES = {"sample": "int64"} | dict.fromkeys(FEATURES, "Int64")


def measure(record: ReplyRecord) -> tuple[str | int | None, ...]:
    """Return the row of one reply, `COLUMNS` in order; null where a feature does not apply."""
    judgement = judge(record.raw, record.output)
    reply = Reply(record.raw, finish_reason=record.finish_reason, judgement=judgement)
    keys = [key(record) for key in KEYS.values()]
    output = record.output.type if record.output else ""
    details = (judgement.payload, judgement.reason, " ".join(judgement.notes)) if judgement else ("", "", "")
    present = frozenset(reply.nodes)
    values = [count(reply) if kind is None or kind in present else 0 for kind, count in _PLAN]
    return (record.id, record.prompt_id, record.sample, *keys, output, *details, *values)


def profile(records: Iterable[ReplyRecord]) -> pd.DataFrame:
    """Tabulate replies: a pure function of one partition, so that any number of them can run side by side.

    Returns:
        One row for each record in their order, with `COLUMNS`; the features are nullable integers.
    """
    rows = [measure(record) for record in records]
    texts = pd.DataFrame.from_records([row[:_TEXTS] for row in rows], columns=COLUMNS[:_TEXTS])
    counts = np.array([row[_TEXTS:] for row in rows], dtype=np.float64).reshape(len(rows), len(FEATURES))
    unknown = np.isnan(counts)
    whole = np.where(unknown, 1, counts).astype(np.int64)  # 1 is what pandas itself has under a missing value
    arrays = {name: IntegerArray(whole[:, place], unknown[:, place]) for place, name in enumerate(FEATURES)}
    return pd.concat([texts.astype({"sample": "int64"}), pd.DataFrame(arrays)], axis="columns")


def profiles(records: Iterable[ReplyRecord], *, rows: int = 4096) -> Iterator[pd.DataFrame]:
    """Tabulate a stream of replies piece by piece, at most `rows` of them in memory at a time."""
    source = iter(records)
    while batch := list(islice(source, rows)):
        yield profile(batch)
