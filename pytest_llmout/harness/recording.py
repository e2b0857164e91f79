"""The recording of one test: a JSONL file of reply records beside its module."""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack
from typing import TYPE_CHECKING

from pytest_llmout.corpus.store import BadLine, read_records
from pytest_llmout.corpus.writer import RecordWriter
from pytest_llmout.errors import UsageError
from pytest_llmout.harness.record_mode import RecordMode
from pytest_llmout.harness.request import Request

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_llmout.corpus.record import ReplyRecord

_ADVICE = "record it with --llmout-record-mode new_episodes (what is missing) or rewrite (everything)"


class Recording:
    """The replies recorded for one test, and those added by this run.

    Nothing is written until a reply is added; each is on disk when `add` returns. A new reply is appended, also where
    it takes the place of an old one (the last of one id counts), so that a kill at any moment loses neither; `close`
    then leaves one record an id.

    Args:
        path: The file; it need not exist.
        mode: When the model is asked.

    Raises:
        UsageError: The file holds a line that is no record.
    """

    def __init__(self, path: Path, mode: RecordMode) -> None:
        self.path = path
        self.mode = mode
        self.existed = path.exists()
        self._records = {record.id: record for record in _read(path)} if self.existed else {}
        self._recorded = {(Request.of_record(record).key, record.sample): record for record in self._records.values()}
        self._asked = Counter[str]()
        self._writer: RecordWriter | None = None
        self._added: dict[str, ReplyRecord] = {}
        self._open = ExitStack()

    def next_sample(self, request: Request) -> int:
        """Return which sample of a request is due, counting how often the test has asked it."""
        sample = self._asked[request.key]
        self._asked[request.key] += 1
        return sample

    def number(self, request: Request) -> int:
        """Return the place of a request among the different ones that the test has asked, from 1."""
        return list(self._asked).index(request.key) + 1

    def find(self, request: Request, sample: int) -> ReplyRecord | None:
        """Return the reply to replay, if this request was recorded and the mode replays."""
        return self._recorded.get((request.key, sample)) if self.mode.replays else None

    @property
    def asks(self) -> bool:
        """Whether the model may be asked for what is not recorded."""
        return self.mode.asks(recorded=self.existed)

    def explain_missing(self, request: Request, sample: int, prompt_id: str) -> UsageError:
        """Say why there is nothing to replay: no recording, a changed request, or too few samples."""
        samples = sum(key == request.key for key, _ in self._recorded)
        if samples:
            return UsageError(
                f"{prompt_id}: sample {sample + 1} is asked, {samples} recorded in {self.path}; {_ADVICE}"
            )
        before = self._counterpart(prompt_id)
        if before is None:
            return UsageError(
                f"{prompt_id}: there is no reply to it in {self.path}, and the model is not asked; {_ADVICE}"
            )
        heading = f"{prompt_id}: the request differs from the one recorded in {self.path}, whose reply is not replayed"
        return UsageError("\n".join([heading, *request.changes_from(before), f"next: undo the change, or {_ADVICE}"]))

    def add(self, record: ReplyRecord) -> None:
        """Write a reply.

        Raises:
            UsageError: The file cannot be written.
        """
        if self._writer is None:
            self._writer = self._open.enter_context(RecordWriter(self.path))
        self._writer.append(record)
        self._added[record.id] = record

    def unused(self) -> list[str]:
        """Return the prompts that are recorded and that this test did not ask, with the number of their replies."""
        left = [record for record in self._records.values() if Request.of_record(record).key not in self._asked]
        return [f"{prompt_id}: {count}" for prompt_id, count in Counter(record.prompt_id for record in left).items()]

    def close(self, *, complete: bool) -> None:
        """Leave one record an id, and in mode `rewrite` only those of this run.

        Args:
            complete: Whether every request was answered; if not, nothing is dropped: an outage costs no recording.
        """
        with self._open:
            if self._writer is None or self.mode.replays:
                return
            if self.mode is RecordMode.REWRITE and complete:
                self._records = {}
            self._records |= self._added
            self._writer.replace(self._records.values())

    def _counterpart(self, prompt_id: str) -> Request | None:
        """Return the recorded request that the test has not made and that most likely became the one it makes now."""
        left = [record for record in self._records.values() if Request.of_record(record).key not in self._asked]
        same = [record for record in left if record.prompt_id == prompt_id]
        return Request.of_record([*same, *left][0]) if left else None


def _read(path: Path) -> list[ReplyRecord]:
    bad: list[BadLine] = []
    records = list(read_records(path, on_bad=bad.append))
    # A last line without its end is what a kill left of a reply that no test was given.
    whole_lines = path.read_bytes().count(b"\n")
    for line in bad:
        if line.number <= whole_lines:
            raise UsageError(f"{line}; mend the line, or delete the file and record again")
    return records
