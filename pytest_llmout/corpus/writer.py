"""Appending reply records to a corpus file, beside other processes and through kills."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from pytest_llmout.appending import Closable, LineAppender
from pytest_llmout.corpus.record import dump_record, load_record
from pytest_llmout.corpus.store import write_records

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from pytest_llmout.corpus.record import ReplyRecord


class RecordWriter(Closable):
    """Appends records to a corpus file; each is on disk when `append` returns.

    A last line that a killed writer left without its line end is completed if it is a record and cut off if not.

    Args:
        path: The file; it and its folder are made if needed.
        exclusive: Keep every other writer out until this one is closed, instead of taking turns.

    Raises:
        UsageError: The file cannot be opened, or another process writes it exclusively.
    """

    def __init__(self, path: Path, *, exclusive: bool = False) -> None:
        self._lines = LineAppender(path, load=load_record, exclusive=exclusive)

    def append(self, record: ReplyRecord) -> None:
        """Write one record.

        Raises:
            UsageError: The disk is full or the file can no longer be written; no part of the record is left in it.
        """
        self._lines.append(dump_record(record))

    def replace(self, records: Iterable[ReplyRecord]) -> None:
        """Replace the file whole, still holding it, and close the writer."""
        if sys.platform == "win32":  # which cannot replace an open file
            self.close()
        with self._lines.errors_named():
            write_records(self._lines.path, records)
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._lines.close()
