"""Appending reply records to a corpus file, beside other processes and through kills."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self

from pytest_llmout.corpus.file_lock import lock, try_lock, unlock
from pytest_llmout.corpus.record import dump_record, load_record
from pytest_llmout.corpus.store import write_records
from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from io import FileIO
    from pathlib import Path
    from types import TracebackType

    from pytest_llmout.corpus.record import ReplyRecord


class RecordWriter:
    """Appends records to a corpus file; each is on disk when `append` returns.

    A last line that a killed writer left without its line end is completed if it is a record and cut off if not.

    Args:
        path: The file; it and its folder are made if needed.
        exclusive: Keep every other writer out until this one is closed, instead of taking turns.

    Raises:
        UsageError: The file cannot be opened, or another process writes it exclusively.
    """

    def __init__(self, path: Path, *, exclusive: bool = False) -> None:
        self._path = path
        self._exclusive = exclusive
        with self._errors_named():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: FileIO = path.open("a+b", buffering=0)
            if exclusive and not (try_lock(self._file.fileno()) and self._is_current()):
                self._file.close()
                raise UsageError(f"{path}: another process is writing this file; wait for it or name another file")
            with self._turn():
                self._repair_tail()

    def append(self, record: ReplyRecord) -> None:
        """Write one record.

        Raises:
            UsageError: The disk is full or the file can no longer be written; no part of the record is left in it.
        """
        line = dump_record(record)
        with self._errors_named(), self._turn():
            self._repair_tail()  # another writer may have been killed since the last turn
            start = self._file.seek(0, os.SEEK_END)
            if self._file.write(line) != len(line):
                self._file.truncate(start)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(self._file.fileno())

    def replace(self, records: Iterable[ReplyRecord]) -> None:
        """Replace the file whole, still holding it, and close the writer."""
        if sys.platform == "win32":  # which cannot replace an open file
            self._file.close()
        with self._errors_named():
            write_records(self._path, records)
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _is_current(self) -> bool:
        """Return whether the file was not replaced between being opened and being locked."""
        return os.path.samestat(os.fstat(self._file.fileno()), self._path.stat())

    @contextmanager
    def _turn(self) -> Iterator[None]:
        if self._exclusive:
            yield
            return
        lock(self._file.fileno())
        try:
            yield
        finally:
            unlock(self._file.fileno())

    @contextmanager
    def _errors_named(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise UsageError(f"{self._path}: cannot be written: {error.strerror}") from error

    def _repair_tail(self) -> None:
        end = self._file.seek(0, os.SEEK_END)
        tail = self._tail(end)
        if not tail:
            return
        try:
            load_record(tail)
        except ValueError:
            self._file.truncate(end - len(tail))
        else:
            self._file.write(b"\n")

    def _tail(self, end: int) -> bytes:
        """Return what follows the last line end, reading backwards in growing steps."""
        size = 1
        while True:
            start = max(0, end - size)
            self._file.seek(start)
            _, line_end, tail = self._file.read(end - start).rpartition(b"\n")
            if line_end or start == 0:
                return tail
            size *= 64
