"""The record of a run: events appended to a JSONL file, through kills, and read as a stream."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any

from pytest_llmout.appending import Closable, LineAppender
from pytest_llmout.boundary import redaction
from pytest_llmout.boundary.answer import MAX_BYTES, answer_event, dump_event
from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from pytest_llmout.boundary.answer import AnswerEvent

_LOG = logging.getLogger(__name__)


class RunRecord(Closable):
    """Appends the events of one run to a file that no other process may write meanwhile.

    An event is on disk when the call that appends it returns; a kill loses at most the one being written. What a killed
    writer left is repaired on opening: `repaired` and a warning in the log say how. The texts of an event are redacted.

    Args:
        path: The file; it and its folder are made if needed.
        redact: Takes out of a text what must not be stored.
        max_bytes: The budget of an answer event; see `answer_event`.

    Raises:
        UsageError: The file cannot be opened, or another process writes it.
    """

    def __init__(
        self, path: Path, *, redact: Callable[[str], str] = redaction.redact, max_bytes: int = MAX_BYTES
    ) -> None:
        self._redact = redact
        self._max_bytes = max_bytes
        self._lines = LineAppender(path, load=_load, exclusive=True)
        self.repaired = self._lines.repaired
        """What was done about an event that a killed writer left unfinished, if there was one."""
        if self.repaired:
            _LOG.warning("%s: %s", path, self.repaired)

    def append(self, event: Mapping[str, object]) -> None:
        """Append an event: a JSON object.

        Raises:
            UsageError: It is an answer, which only `answer` publishes; it is no JSON; or the file cannot be written.
        """
        if event.get("type") == "answer":
            raise UsageError("an event of type 'answer' is published by RunRecord.answer, from the reply itself")
        self._write({name: self._named(name, value) for name, value in event.items()})

    def answer(self, raw: str) -> AnswerEvent:
        """Publish the answer of the run, and return its event: what every surface reads.

        A run has one answer. The same reply given again, also after the record was closed and opened anew, is not
        published a second time.

        Raises:
            UsageError: The run has answered otherwise, or the file cannot be written.
        """
        event = answer_event(raw, redact=self._redact, max_bytes=self._max_bytes)
        published = next((line for line in _lines(self._lines.path) if _is_answer(line)), None)
        if published is None:
            self._lines.append(event.dump())
        elif published != event.dump():
            raise UsageError(f"{self._lines.path}: this run has answered already; give each run a record of its own")
        return event

    def close(self) -> None:
        """Let go of the file."""
        self._lines.close()

    def _write(self, fields: dict[str, object]) -> None:
        try:
            line = dump_event(fields)
        except (TypeError, ValueError) as error:
            raise UsageError(f"an event must be JSON: {error}") from error
        self._lines.append(line)

    def _named(self, name: str, value: object) -> object:
        """Redact a value as what its name is set to, since a password alone looks like any word."""
        before, after = f'{name}="', '"'
        if isinstance(value, str):
            assigned = self._redact(f"{before}{value}{after}")
            if assigned.startswith(before) and assigned.endswith(after):
                return assigned[len(before) : -len(after)]
        return self._redacted(value)

    def _redacted(self, value: object) -> object:
        match value:
            case str():
                return self._redact(value)
            case dict():
                return {name: self._named(name, inner) for name, inner in value.items()}
            case list() | tuple():
                return [self._redacted(inner) for inner in value]
            case _:
                return value


def read_events(path: Path) -> Iterator[dict[str, Any]]:
    """Stream the events of a record, also while it is being written: a line not yet whole is left out.

    Raises:
        UsageError: The file cannot be read, or a line before the last is no event; the message names it.
    """
    for number, line in enumerate(_lines(path), start=1):
        try:
            yield _load(line)
        except ValueError as error:
            if line.endswith(b"\n"):
                raise UsageError(f"{path}:{number}: not an event: {error}") from error


def _lines(path: Path) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            yield from file
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from error


def _is_answer(line: bytes) -> bool:
    return line.startswith(b'{"type":"answer"')


def _load(line: bytes) -> dict[str, Any]:
    try:
        event = json.loads(line.decode())
    except RecursionError:
        raise ValueError("the JSON is nested too deeply") from None
    if not isinstance(event, dict):
        raise ValueError("it should be an object")  # noqa: TRY004  a line that is not whole, not a misuse
    return event
