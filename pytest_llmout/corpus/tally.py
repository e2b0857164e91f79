"""Counting how often each of any number of keys was met, in bounded memory."""

from __future__ import annotations

import sqlite3
from hashlib import blake2b
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

_COUNT = "INSERT INTO tally VALUES (?, 1) ON CONFLICT (key) DO UPDATE SET met = met + 1 RETURNING met"


class Tally:
    """Counts keys in a private database that SQLite moves to the disk when it grows."""

    def __init__(self) -> None:
        self._database = sqlite3.connect("", isolation_level=None)  # a temporary file, deleted by SQLite itself
        self._database.execute("CREATE TABLE tally (key BLOB PRIMARY KEY, met INTEGER) WITHOUT ROWID")
        self._database.execute("BEGIN")

    def add(self, *key: str) -> int:
        """Count a key and return how often it was met before."""
        digest = blake2b("\0".join(key).encode("utf-8", "surrogatepass"), digest_size=16).digest()
        met: int = self._database.execute(_COUNT, (digest,)).fetchone()[0]
        return met - 1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._database.close()
