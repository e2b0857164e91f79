"""A source as importers see it: its first bytes, its lines, its entries, whatever holds them."""

from __future__ import annotations

import gzip
import io
import json
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, BinaryIO, TypeAlias, cast

import pydantic_core

from pytest_llmout.corpus.importers.importer import Draft, Skipped
from pytest_llmout.corpus.importers.json_stream import LARGEST, JsonReader, pick
from pytest_llmout.corpus.importers.table_rows import csv_rows, parquet_rows
from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_llmout.corpus.importers import json_stream
    from pytest_llmout.corpus.importers.table_rows import Row

Fields: TypeAlias = dict[str, Any]
Mapped: TypeAlias = Iterable[Fields | str]
"""What an entry gives: the fields of each reply in it, or why there is none."""

_HEAD = 2**18
_FEW_LINES = 20
"""How many lines may be broken before the first that tells the format."""
_HALF_CHARACTER = re.compile(rb"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")


@dataclass(frozen=True)
class Peek:
    """The start of a source: what a format is told by."""

    path: Path
    head: bytes
    """The first bytes, unpacked if the file is packed with gzip; empty for a folder."""
    title: str
    """What messages call the source."""

    @cached_property
    def first(self) -> Any:  # noqa: ANN401  JSON
        """The first entry: of JSON Lines the first line, of a JSON array its first element, of a table its first row.

        A document that goes on beyond `head` is read as far as it goes; `None` if nothing can be read.
        """
        if self.head.startswith(b"PAR1") or self.path.name.lower().removesuffix(".gz").endswith((".csv", ".tsv")):
            return next((part.value for part in Source(self.path).entries() if isinstance(part, Entry)), None)
        value = self._start()
        return (value[0] if value else None) if isinstance(value, list) else value

    @cached_property
    def problem(self) -> str:
        """Why nothing can be read, if that is known; with its place."""
        first = next(Source(self.path).entries(), None) if self.head else None
        return f"{first.where}: {first}" if isinstance(first, Skipped) else ""

    def _start(self) -> Any:  # noqa: ANN401  JSON
        text = _HALF_CHARACTER.sub(rb"\\ufffd", self.head).removeprefix(b"\xef\xbb\xbf").lstrip()
        first, *others = text.split(b"\n", _FEW_LINES)[:_FEW_LINES]
        for part in (first, text, *others):
            try:
                return pydantic_core.from_json(part, allow_partial="trailing-strings" if part is text else False)
            except ValueError:
                continue
        return None


class _UpToDamage(io.RawIOBase):
    """Unpacks gzip as far as that can be done, then ends and says why; what was unpacked before is not lost."""

    def __init__(self, packed: gzip.GzipFile, damage: list[str]) -> None:
        self._packed = packed
        self._damage = damage

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        self._damage.clear()
        return self._packed.seek(offset, whence)

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401  typed as whatever holds bytes
        try:
            data = self._packed.read1(len(buffer)) if not self._damage else b""
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            self._damage.append(str(error))
            data = b""
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._packed.close()
        super().close()


@dataclass(frozen=True, slots=True)
class Entry:
    """A decoded part of a source."""

    where: str
    path: json_stream.Path
    value: Any


@dataclass(frozen=True, slots=True)
class Source:
    """A file or folder to import from."""

    path: Path
    columns: Mapping[str, str] = field(default_factory=dict)
    """Which column of a table holds which field, where the names do not say it."""
    name: str = ""
    """What messages call it, if not by its path."""

    @property
    def title(self) -> str:
        """What messages call it."""
        return self.name or str(self.path)

    def peek(self) -> Peek:
        """Read its start.

        Raises:
            UsageError: It cannot be read, is empty, or is text in UTF-16.
        """
        if self.path.is_dir():
            return Peek(self.path, b"", self.title)
        try:
            with closing(self.open()) as file:
                head = file.read(_HEAD)
        except OSError as error:
            raise UsageError(f"{self.title}: cannot be read: {error.strerror or error}") from error
        if not head:
            raise UsageError(f"{self.title}: there is nothing in it")
        if head.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise UsageError(f"{self.title}: UTF-16 text: convert it to UTF-8 first")
        return Peek(self.path, head, self.title)

    def open(self) -> BinaryIO:
        """Open the file, unpacking gzip; where that is damaged the file ends."""
        return self._opened()[0]

    def _opened(self) -> tuple[BinaryIO, list[str]]:
        """Open the file, with a list that will hold what is wrong with it once that has been met."""
        file = self.path.open("rb")
        damage: list[str] = []
        if file.read(2) == b"\x1f\x8b":
            file.close()
            packed = gzip.open(self.path)  # noqa: SIM115  closed with what reads it
            return cast("BinaryIO", io.BufferedReader(_UpToDamage(packed, damage))), damage
        file.seek(0)
        return file, damage

    def mapped(self, replies: Callable[[Any], Mapped], *paths: json_stream.Path) -> Iterator[Draft | Skipped]:
        """Hand each entry at one of the paths (default: each element) to a function, and give its replies a place."""
        for entry in self.entries(*paths):
            if isinstance(entry, Skipped):
                yield entry
                continue
            for reply in replies(entry.value):
                yield Skipped(entry.where, reply) if isinstance(reply, str) else Draft(entry.where, reply)

    def entries(self, *paths: json_stream.Path) -> Iterator[Entry | Skipped]:
        """Yield the wanted parts of JSON Lines, of a JSON document, or the rows of CSV or Parquet, each as JSON."""
        try:
            file, damage = self._opened()
            with closing(file):
                yield from self._entries(file, paths or (("*",),))
        except OSError as error:
            damage = [str(error)]
        for what in damage[:1]:
            yield Skipped("end", "cannot be read to its end", what)

    def _entries(self, file: BinaryIO, paths: tuple[json_stream.Path, ...]) -> Iterator[Entry | Skipped]:
        head = file.read(_HEAD)
        file.seek(0)
        name = self.path.name.lower().removesuffix(".gz")
        if head.startswith(b"PAR1"):
            yield from _row_entries(parquet_rows(self.path))
        elif name.endswith((".csv", ".tsv")):
            yield from _row_entries(csv_rows(file, delimiter="\t" if name.endswith(".tsv") else ","))
        elif _is_lines(head):
            yield from _line_entries(file, paths)
        else:
            yield from _document_entries(file, paths)


def _row_entries(rows: Iterable[Row | Skipped]) -> Iterator[Entry | Skipped]:
    for row in rows:
        yield row if isinstance(row, Skipped) else Entry(row[0], ("*",), row[1])


def lines(file: BinaryIO) -> Iterator[tuple[str, bytes | Skipped]]:
    """Yield the number and the bytes of each line that is not blank; one that is too long is passed over."""
    number = 0
    while line := file.readline(LARGEST):
        number += 1
        if len(line) == LARGEST and not line.endswith(b"\n"):
            while (rest := file.readline(_HEAD)) and not rest.endswith(b"\n"):
                pass
            yield str(number), Skipped(str(number), f"a line of more than {LARGEST} bytes")
        elif line.strip():
            yield str(number), line


def _is_lines(head: bytes) -> bool:
    """Return whether a file is JSON Lines: by its first line, or if that is broken by another near the start."""
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    line, end, rest = text.partition(b"\n")
    if line.startswith(b"["):
        return False
    if (not end and len(head) == _HEAD) or _is_json(line):
        return True
    try:
        pydantic_core.from_json(text, allow_partial=True)
    except ValueError:
        return any(map(_is_json, rest.split(b"\n", _FEW_LINES)[: _FEW_LINES - 1]))
    return False


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    except RecursionError:
        return True
    return True


def _line_entries(file: BinaryIO, paths: tuple[json_stream.Path, ...]) -> Iterator[Entry | Skipped]:
    within = {path[1:] if path[:1] == ("*",) else path for path in paths}
    for number, line in lines(file):
        if isinstance(line, Skipped):
            yield line
            continue
        try:
            value = json.loads(line.decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            yield Skipped(number, "not UTF-8 text", f"byte {error.start + 1}")
        except ValueError as error:
            yield Skipped(number, "not JSON", str(error))
        except RecursionError:
            yield Skipped(number, "nested too deeply")
        else:
            for where, path, part in pick(value, within, number):
                yield Entry(where, path, part)


def _document_entries(file: BinaryIO, paths: tuple[json_stream.Path, ...]) -> Iterator[Entry | Skipped]:
    where = "start"
    try:
        with io.TextIOWrapper(file, "utf-8-sig", errors="surrogateescape", newline="") as text:
            for place, path, value in JsonReader(text).parts(paths):
                where = place or where
                yield Entry(where, path, value)
    except ValueError as error:
        yield Skipped(where, "not JSON from here on", str(error))
    except RecursionError:
        yield Skipped(where, "nested too deeply from here on")
