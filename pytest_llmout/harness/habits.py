"""How the dialect of one reply departs from that of recorded ones."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pytest_llmout.corpus.store import read_records
from pytest_llmout.dialect.families import FEATURES
from pytest_llmout.dialect.judgement import judge
from pytest_llmout.dialect.reply import Reply
from pytest_llmout.errors import UsageError
from pytest_llmout.lookup import candidates

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from pytest_llmout.corpus.record import Output, ReplyRecord
    from pytest_llmout.dialect.feature import Feature


def departures(raw: str, baseline: str | Path | Iterable[ReplyRecord], features: Collection[str] | None) -> list[str]:
    """Name the habits that only the reply has, and those that only the reply lacks.

    A habit is a dialect feature that a reply shows at all, whatever its count: counts depend on what is said.

    Args:
        raw: The reply.
        baseline: Recorded replies, or the file or folder they are in.
        features: The dialect features to look at; all of them if None.

    Returns:
        A line for each feature that the reply shows and no recorded reply does (`+`), or the reverse (`-`).

    Raises:
        UsageError: There is no recorded reply, or no such feature.
    """
    records = list(read_records(Path(baseline)) if isinstance(baseline, str | Path) else baseline)
    if not records:
        raise UsageError("a baseline needs at least one recorded reply")
    chosen = [_feature(name) for name in (FEATURES if features is None else features)]
    reply = _read(raw, records[0].output, None)
    recorded = [_read(record.raw, record.output, record.finish_reason) for record in records]
    return [line for feature in chosen for line in _compare(feature, reply, recorded)]


def _feature(name: str) -> Feature:
    if name not in FEATURES:
        raise UsageError(f"no dialect feature {name!r}{candidates(name, FEATURES)}")
    return FEATURES[name]


def _read(raw: str, output: Output | None, finish_reason: str | None) -> Reply:
    return Reply(raw, finish_reason=finish_reason, judgement=judge(raw, output))


def _compare(feature: Feature, reply: Reply, recorded: list[Reply]) -> Iterator[str]:
    value = feature.measure(reply)
    known = [count for count in map(feature.measure, recorded) if count is not None]
    if value is None or not known:
        return
    if value and not any(known):
        yield f"+ {feature.name}: {value}, in none of {len(known)} recorded; {feature.definition}"
    if not value and all(known):
        yield f"- {feature.name}: 0, in each of {len(known)} recorded; {feature.definition}"
