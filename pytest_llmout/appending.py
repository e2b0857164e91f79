"""Appending lines to a file, beside other processes and through kills."""

from __future__ import annotations

import errno
import os
from abc import ABC, abstractmethod
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

from pytest_llmout.errors import UsageError
from pytest_llmout.file_lock import lock, try_lock, unlock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from io import FileIO
    from pathlib import Path
    from types import TracebackType


@dataclass(frozen=True, slots=True)
class TailRepair:
    """What was done about a last line that a killed writer left without its line end."""

    completed: bool
    """Whether the line was whole and got its line end; otherwise it was cut off."""
    size: int
    """How many bytes the line had."""

    def __str__(self) -> str:
        """Say it in a log."""
        done = "was whole and is kept" if self.completed else "was cut off"
        return f"the last writer was killed; its unfinished line of {self.size} bytes {done}"


class Closable(ABC):
    """What is closed at the end of a `with` block."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the file."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class LineAppender(Closable):
    """Appends lines to a file; each is on disk when `append` returns.

    A last line without a line end, which a killed writer left, is completed if it is whole and cut off if not.

    Args:
        path: The file; it and its folder are made if needed.
        load: Reads a line; raises `ValueError` if the line is not whole.
        exclusive: Keep every other writer out until this one is closed, instead of taking turns.

    Raises:
        UsageError: The file cannot be opened, or another process writes it exclusively.
    """

    def __init__(self, path: Path, *, load: Callable[[bytes], object], exclusive: bool = False) -> None:
        self.path = path
        self._load = load
        self._exclusive = exclusive
        with self.errors_named():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file: FileIO = path.open("a+b", buffering=0)
            if exclusive and not (try_lock(self._file.fileno()) and self._is_current()):
                self._file.close()
                raise UsageError(f"{path}: another process is writing this file; wait for it or name another file")
            with self._turn():
                self.repaired = self._repair_tail()
                """What was done about the last line when the file was opened, if anything was."""

    def append(self, line: bytes) -> None:
        """Write one line, given with its line end.

        Raises:
            UsageError: The disk is full or the file can no longer be written; no part of the line is left in it.
        """
        with self.errors_named(), self._turn():
            self._repair_tail()  # another writer may have been killed since the last turn
            start = self._file.seek(0, os.SEEK_END)
            if self._file.write(line) != len(line):
                self._file.truncate(start)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(self._file.fileno())

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    @contextmanager
    def errors_named(self) -> Iterator[None]:
        """Turn an error of the system into one that names the file."""
        try:
            yield
        except OSError as error:
            raise UsageError(f"{self.path}: cannot be written: {error.strerror}") from error

    def _is_current(self) -> bool:
        """Return whether the file was not replaced between being opened and being locked."""
        return os.path.samestat(os.fstat(self._file.fileno()), self.path.stat())

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

    def _repair_tail(self) -> TailRepair | None:
        end = self._file.seek(0, os.SEEK_END)
        tail = self._tail(end)
        if not tail:
            return None
        try:
            self._load(tail)
        except ValueError:
            self._file.truncate(end - len(tail))
            return TailRepair(completed=False, size=len(tail))
        self._file.write(b"\n")
        return TailRepair(completed=True, size=len(tail))

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
