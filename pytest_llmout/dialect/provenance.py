"""Where the replies of a report come from, and how their calls went."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pytest_llmout.contract import Failure, Ok
from pytest_llmout.dialect.judgement import judge

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_llmout.corpus.record import ReplyRecord
    from pytest_llmout.dialect.text_table import Rows


class Tally:
    """Counts provenance and failures over a stream of records, and keeps the few replies that will be shown."""

    def __init__(self, wanted: Iterable[str]) -> None:
        self._wanted = frozenset(wanted)
        self.replies: dict[str, ReplyRecord] = {}
        self._sources: Counter[tuple[str, ...]] = Counter()
        self._attempts: Counter[tuple[int, str, str]] = Counter()

    def add(self, record: ReplyRecord) -> None:
        """Count one record."""
        if record.id in self._wanted:
            self.replies[record.id] = record
        model = record.model
        place = (model.name, model.revision, record.source, record.licence, record.fidelity.value)
        self._sources[tuple(part or "-" for part in place)] += 1
        for number, attempt in enumerate(record.attempts, start=1):
            self._attempts[number, attempt.kind.value, attempt.reason] += 1
        judgement = judge(record.raw, record.output)
        match judgement and judgement.outcome:
            case Failure(kind=kind, reason=reason):
                self._attempts[len(record.attempts) + 1, kind.value, reason] += 1
            case Ok():
                self._attempts[len(record.attempts) + 1, "ok", ""] += 1

    def sources(self) -> Rows:
        """Return a table of where the replies come from, its head first."""
        head = ["model", "revision", "source", "licence", "fidelity", "replies"]
        return [head, *([*place, str(count)] for place, count in sorted(self._sources.items()))]

    def attempts(self) -> Rows:
        """Return a table of how replies that were asked for as JSON fared, by attempt, its head first."""
        head = ["attempt", "outcome", "reason", "replies"]
        rows = sorted(self._attempts.items())
        return [head, *([str(number), kind, reason or "-", str(count)] for (number, kind, reason), count in rows)]
