"""The rows of CSV and of Parquet as entries of a source."""

from __future__ import annotations

import csv
import io
from collections import Counter
from typing import TYPE_CHECKING, Any, BinaryIO

from pytest_llmout.corpus.importers.importer import Skipped
from pytest_llmout.corpus.importers.json_stream import ESCAPED_BYTE, LARGEST
from pytest_llmout.corpus.store import load_parquet

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Self, TextIO

    from pyarrow import RecordBatch

Row = tuple[str, dict[str, Any]]
"""The place of a row and its cells by their columns."""


class _BoundedLines:
    """The lines of a text; one that is too long is an error of its own, after which the next can be read."""

    def __init__(self, text: TextIO) -> None:
        self.number = 0
        self._text = text

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> str:
        line = self._text.readline(LARGEST)
        if not line:
            raise StopIteration
        self.number += 1
        if len(line) < LARGEST or line.endswith("\n"):
            return line
        while (rest := self._text.readline(LARGEST)) and not rest.endswith("\n"):
            pass
        raise csv.Error(f"a line of more than {LARGEST} characters")


def csv_rows(file: BinaryIO, *, delimiter: str) -> Iterator[Row | Skipped]:
    """Yield the rows below the first, which names the columns; of columns that share a name none can be read."""
    csv.field_size_limit(LARGEST)
    with io.TextIOWrapper(file, "utf-8-sig", errors="surrogateescape", newline="\n") as text:
        lines = _BoundedLines(text)
        reader = csv.reader(lines, delimiter=delimiter, strict=True)
        names: list[str] | None = None
        while True:
            try:
                row = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                yield Skipped(str(lines.number), "not CSV", str(error))
                continue
            if names is not None:
                yield _csv_row(str(lines.number), names, row)
                continue
            names = row
            if several := [name for name, count in Counter(names).items() if count > 1]:
                yield Skipped(str(lines.number), "several columns of one name", ", ".join(map(repr, several)))
                names = ["" if name in several else name for name in names]


def _csv_row(where: str, names: list[str], row: list[str]) -> Row | Skipped:
    if len(row) != len(names):
        return Skipped(where, "not as many fields as columns", f"{len(row)} for {len(names)}")
    if any(map(ESCAPED_BYTE.search, row)):
        return Skipped(where, "not UTF-8 text")
    return where, {name: cell for name, cell in zip(names, row, strict=True) if name}


def parquet_rows(path: Path) -> Iterator[Row | Skipped]:
    """Yield the rows of a Parquet file.

    Raises:
        UsageError: The package that reads Parquet is missing.
    """
    parquet = load_parquet(path)
    number = 0
    try:
        with path.open("rb") as file:
            for batch in parquet.batches(file):
                yield from _rows_of(batch, number)
                number += batch.num_rows
    except parquet.ERRORS as error:
        yield Skipped(str(number), "cannot be read from here on", str(error).partition("\n")[0])


def _rows_of(batch: RecordBatch, first: int) -> Iterator[Row | Skipped]:
    for place in range(batch.num_rows):
        where, row = str(first + place), batch.slice(place, 1)
        if row.nbytes > LARGEST:
            yield Skipped(where, f"a row of more than {LARGEST} bytes")
            continue
        try:
            [cells] = row.to_pylist()
        except (ValueError, OverflowError) as error:  # text that is not UTF-8, a date that Python cannot hold
            yield Skipped(where, "cannot be read", str(error))
        else:
            yield where, cells
