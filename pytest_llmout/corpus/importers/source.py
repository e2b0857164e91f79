"""A source as importers see it: its first bytes, its lines, its entries, whatever holds them."""

from __future__ import annotations

import csv
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
from pytest_llmout.corpus.importers.json_stream import ESCAPED_BYTE, LARGEST, JsonReader, pick
from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_llmout.corpus.importers import json_stream

Fields: TypeAlias = dict[str, Any]
Mapped: TypeAlias = Iterable[Fields | str]
"""What an entry gives: the fields of each reply in it, or why there is none."""

_HEAD = 2**18
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

    def _start(self) -> Any:  # noqa: ANN401  JSON
        text = _HALF_CHARACTER.sub(rb"\\ufffd", self.head).removeprefix(b"\xef\xbb\xbf").lstrip()
        for part in (text.partition(b"\n")[0], text):
            try:
                return pydantic_core.from_json(part, allow_partial="trailing-strings" if part is text else False)
            except ValueError:
                continue
        return None


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
        except (EOFError, zlib.error):
            head = b""
        if not head:
            raise UsageError(f"{self.title}: there is nothing in it")
        if head.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise UsageError(f"{self.title}: UTF-16 text: convert it to UTF-8 first")
        return Peek(self.path, head, self.title)

    def open(self) -> BinaryIO:
        """Open the file, unpacking gzip."""
        file = self.path.open("rb")
        if file.read(2) == b"\x1f\x8b":
            file.close()
            return cast("BinaryIO", gzip.open(self.path))
        file.seek(0)
        return file

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
            with closing(self.open()) as file:
                yield from self._entries(file, paths or (("*",),))
        except (OSError, EOFError, zlib.error) as error:
            yield Skipped("end", "cannot be read to its end", str(error))

    def _entries(self, file: BinaryIO, paths: tuple[json_stream.Path, ...]) -> Iterator[Entry | Skipped]:
        head = file.read(_HEAD)
        file.seek(0)
        name = self.path.name.lower().removesuffix(".gz")
        if head.startswith(b"PAR1"):
            yield from _parquet_rows(self.path)
        elif name.endswith((".csv", ".tsv")):
            yield from _csv_rows(file, delimiter="\t" if name.endswith(".tsv") else ",")
        elif _first_line_is_json(head):
            yield from _line_entries(file, paths)
        else:
            yield from _document_entries(file, paths)


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


def _first_line_is_json(head: bytes) -> bool:
    line, end, _ = head.removeprefix(b"\xef\xbb\xbf").lstrip().partition(b"\n")
    if line.startswith(b"["):
        return False
    if not end and len(head) == _HEAD:
        return True
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
            for where, path, value in JsonReader(text).parts(paths):
                yield Entry(where, path, value)
    except ValueError as error:
        yield Skipped(where, "not JSON from here on", str(error))
    except RecursionError:
        yield Skipped(where, "nested too deeply from here on")


def _csv_rows(file: BinaryIO, *, delimiter: str) -> Iterator[Entry | Skipped]:
    csv.field_size_limit(LARGEST)
    with io.TextIOWrapper(file, "utf-8-sig", errors="surrogateescape", newline="\n") as text:
        reader = csv.reader(text, delimiter=delimiter)
        try:
            names = next(reader, [])
            for row in reader:
                yield _csv_row(str(reader.line_num), names, row)
        except csv.Error as error:
            yield Skipped(str(reader.line_num), "not CSV from here on", str(error))


def _csv_row(where: str, names: list[str], row: list[str]) -> Entry | Skipped:
    if len(row) != len(names):
        return Skipped(where, "not as many fields as columns", f"{len(row)} for {len(names)}")
    if any(map(ESCAPED_BYTE.search, row)):
        return Skipped(where, "not UTF-8 text")
    return Entry(where, ("*",), dict(zip(names, row, strict=True)))


def _parquet_rows(path: Path) -> Iterator[Entry | Skipped]:
    try:
        import pyarrow.parquet as pq  # noqa: PLC0415  only this format needs the extra
    except ModuleNotFoundError as error:
        raise UsageError(f"{path}: Parquet needs the package pyarrow: pip install 'pytest-llmout[scale]'") from error
    number = 0
    with pq.ParquetFile(path) as table:
        for batch in table.iter_batches(batch_size=256):
            for row in batch.to_pylist():
                yield Entry(str(number), ("*",), row)
                number += 1
