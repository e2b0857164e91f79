"""Reply records on disk: JSONL files that are streamed or replaced whole."""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass
from importlib import import_module
from json import JSONDecodeError
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from pytest_llmout.corpus.problems import dotted, first_problem
from pytest_llmout.corpus.record import ReplyRecord, dump_record, load_record
from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import ModuleType
    from typing import BinaryIO

LONGEST_LINE = 64 * 2**20
"""Bytes in a line; a longer one would not leave the memory bounded."""

SUFFIXES = (".jsonl", ".parquet")
"""Of the files in a folder, those that hold reply records."""


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line of a corpus that is not a reply record."""

    path: Path | str
    """The file, or its URL."""
    number: int
    """Counted from 1; of Parquet the row."""
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
    """Stream the records of a JSONL or Parquet file, or of every such file below a folder, in the order of their names.

    Args:
        path: The file or folder.
        on_bad: Called with each line that is not a record; the rest is read on if it returns.

    Raises:
        UsageError: Nothing can be read there, or there is no such file in the folder.
    """
    for file in corpus_files(path):
        yield from (_read_rows if is_parquet(file) else _read_file)(file, on_bad)


def corpus_files(path: Path) -> list[Path]:
    """Return the JSONL and Parquet files that a path stands for: itself, or all below a folder, sorted.

    Raises:
        UsageError: There is no such path, or no such file in the folder.
    """
    if not path.exists():
        raise UsageError(f"{path}: no such file or folder")
    if not path.is_dir():
        return [path]
    files = sorted(file for suffix in SUFFIXES for file in path.rglob(f"*{suffix}"))
    if not files:
        raise UsageError(f"{path}: no *{' or *'.join(SUFFIXES)} file in this folder")
    return files


def is_parquet(file: Path | str) -> bool:
    """Return whether a file, by its name, holds records as the rows of Parquet rather than as lines."""
    return str(file).endswith(".parquet")


def load_parquet(name: Path | str) -> ModuleType:
    """Return the module that reads Parquet.

    Raises:
        UsageError: The package it needs is not installed.
    """
    try:
        return import_module("pytest_llmout.corpus.parquet")
    except ModuleNotFoundError as error:
        raise UsageError(f"{name}: Parquet needs the package pyarrow: pip install 'pytest-llmout[scale]'") from error


def shipped_corpus() -> Path:
    """Return the folder of the corpus that ships with this package: real replies, their prompts and provenance."""
    installed = Path(__file__).parent / "data"
    return installed if installed.is_dir() else Path(__file__).parents[2] / "corpus"


def write_records(path: Path, records: Iterable[ReplyRecord]) -> None:
    """Replace a corpus file whole: a reader sees the old file or the new one, never a part."""
    replace_file(path, map(dump_record, records))


def replace_file(path: Path, chunks: Iterable[bytes]) -> None:
    """Write a file beside the old one, then put it in its place."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        with beside.open("xb") as file:
            file.writelines(chunks)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def parse_lines(
    lines: Iterable[bytes], path: Path | str, *, first: int = 1, on_bad: Callable[[BadLine], None]
) -> Iterator[ReplyRecord]:
    """Read lines that were taken out of a corpus file.

    Args:
        lines: Whole lines.
        path: The file they are from, for messages.
        first: The number of the first line.
        on_bad: Called with each line that is not a record; the rest is read on if it returns.
    """
    for number, line in enumerate(lines, start=first):
        if len(line) - line.endswith(b"\n") > LONGEST_LINE:
            on_bad(BadLine(path, number, f"a line of more than {LONGEST_LINE} bytes"))
            continue
        if not line.strip():
            continue
        try:
            record = load_record(line)
        except ValueError as error:
            on_bad(BadLine(path, number, _one_line(error)))
        else:
            yield record


def parse_rows(
    rows: Iterable[dict[str, Any]], path: Path | str, *, on_bad: Callable[[BadLine], None]
) -> Iterator[ReplyRecord]:
    """Read rows that were taken out of a Parquet file, as `parse_lines` reads lines."""
    for number, row in enumerate(rows, start=1):
        try:
            record = ReplyRecord.model_validate(row)
        except ValidationError as error:
            on_bad(BadLine(path, number, _one_line(error)))
        else:
            yield record


def _read_rows(path: Path, on_bad: Callable[[BadLine], None]) -> Iterator[ReplyRecord]:
    parquet = load_parquet(path)
    with path.open("rb") as file:
        groups = list(range(len(parquet.row_groups(file, str(path)))))
        yield from parse_rows(parquet.read_rows(file, str(path), groups), path, on_bad=on_bad)


def _read_file(path: Path, on_bad: Callable[[BadLine], None]) -> Iterator[ReplyRecord]:
    try:
        with path.open("rb") as file:
            yield from parse_lines(_bounded_lines(file), path, on_bad=on_bad)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from error


def _bounded_lines(file: BinaryIO) -> Iterator[bytes]:
    """Yield lines; of one that is too long only so much that this can be told."""
    while line := file.readline(LONGEST_LINE + 1):
        yield line
        while len(line) > LONGEST_LINE and not line.endswith(b"\n"):  # read over the rest of it
            line = file.readline(LONGEST_LINE + 1)


def _one_line(error: ValueError) -> str:
    match error:
        case ValidationError():
            where, what = first_problem(error)
            return ": ".join(["not a reply record", *dotted(where), what])
        case UnicodeDecodeError():
            return f"not UTF-8 text (byte {error.start + 1} of the line)"
        case JSONDecodeError():
            return f"not JSON: {error.msg} (character {error.pos + 1} of the line)"
        case _:
            return f"not JSON: {error}"
