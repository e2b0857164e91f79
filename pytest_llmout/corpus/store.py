"""Reply records on disk: JSONL files that are streamed, appended to, or replaced whole."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

from pydantic import ValidationError

from pytest_llmout.corpus.record import ReplyRecord, dump_record, load_record
from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import TracebackType


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line of a corpus that is not a reply record."""

    path: Path
    number: int
    """Counted from 1."""
    why: str

    def __str__(self) -> str:
        """Name the place the way compilers do."""
        return f"{self.path}:{self.number}: {self.why}"


def stop_at_bad_line(bad: BadLine) -> None:
    """Refuse the corpus: what `read_records` does unless told otherwise.

    Raises:
        UsageError: Always.
    """
    raise UsageError(str(bad))


def read_records(path: Path, *, on_bad: Callable[[BadLine], None] = stop_at_bad_line) -> Iterator[ReplyRecord]:
    """Stream the records of a JSONL file, or of every `*.jsonl` file below a folder, in the order of their names.

    Args:
        path: The file or folder.
        on_bad: Called with each line that is not a record; the rest is read on if it returns.

    Raises:
        UsageError: Nothing can be read there, or there is no JSONL file in the folder.
    """
    for file in corpus_files(path):
        yield from _read_file(file, on_bad)


def corpus_files(path: Path) -> list[Path]:
    """Return the JSONL files that a path stands for: itself, or all below a folder, sorted.

    Raises:
        UsageError: There is no such path, or no JSONL file in the folder.
    """
    if not path.exists():
        raise UsageError(f"{path}: no such file or folder")
    if not path.is_dir():
        return [path]
    files = sorted(path.rglob("*.jsonl"))
    if not files:
        raise UsageError(f"{path}: no *.jsonl file in this folder")
    return files


def write_records(path: Path, records: Iterable[ReplyRecord]) -> None:
    """Replace a corpus file whole: a reader sees the old file or the new one, never a part."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.writelines(map(dump_record, records))
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


class RecordWriter:
    """Appends records to a corpus file; each is on disk when `append` returns.

    A last line that an interrupted writer left without its line end is completed if it is a record and cut off if not.
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("a+b", buffering=0)
        self._repair_tail()

    def append(self, record: ReplyRecord) -> None:
        """Write one record; safe beside other writers, since a line is a single append to the file."""
        self._file.write(dump_record(record))
        os.fsync(self._file.fileno())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def _repair_tail(self) -> None:
        self._file.seek(0)
        tail, start = b"", 0
        for line in self._file:
            start += len(tail)
            tail = line
        if tail and not tail.endswith(b"\n"):
            try:
                load_record(tail)
            except ValueError:
                self._file.truncate(start)
            else:
                self._file.write(b"\n")


def _read_file(path: Path, on_bad: Callable[[BadLine], None]) -> Iterator[ReplyRecord]:
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, start=1):
                if not line.strip():
                    continue
                try:
                    record = load_record(line)
                except ValueError as error:
                    on_bad(BadLine(path, number, _one_line(error)))
                else:
                    yield record
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from error


def _one_line(error: ValueError) -> str:
    match error:
        case ValidationError():
            first = error.errors(include_url=False)[0]
            where = ".".join(map(str, first["loc"]))
            return f"not a reply record: {where + ': ' if where else ''}{first['msg']}"
        case UnicodeDecodeError():
            return f"not UTF-8 text (byte {error.start + 1} of the line)"
        case _:
            return f"not JSON: {error}"
