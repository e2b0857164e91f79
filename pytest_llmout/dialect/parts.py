"""Parts of a corpus that can be profiled side by side: some lines of a JSONL file, or a row group of a Parquet file."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pytest_llmout.corpus.store import LONGEST_LINE, BadLine, is_parquet, load_parquet, parse_lines, parse_rows
from pytest_llmout.dialect.profile import profile

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO

    import pandas as pd

BLOCK = 4 * 2**20
"""Bytes of JSONL in a part, about 1 500 replies: enough to make a table worth its overhead, few enough to hold many."""


@dataclass(frozen=True, slots=True)
class Part:
    """Where a part is: whoever profiles it reads it, so that the corpus itself never passes between processes."""

    file: Path | str
    """A path or an URL."""
    start: int
    """The byte from which on its lines begin, or the number of its row group."""
    size: int
    """The number of its bytes."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A part that was profiled."""

    part: Part
    table: pd.DataFrame
    """The rows of its replies, or their counts."""
    lines: int
    """How many lines or rows the part has."""
    bad: tuple[BadLine, ...]
    """What is no record, counted from the start of the part."""


def cut(file: Path | str, opened: BinaryIO, total: int, *, size: int = BLOCK) -> Iterator[Part]:
    """Cut a file into parts, in its order.

    Args:
        file: Its path or URL.
        opened: The file.
        total: The number of its bytes.
        size: How many bytes of JSONL a part has.
    """
    if is_parquet(file):
        groups = load_parquet(file).row_groups(opened, str(file))
        share = total // max(len(groups), 1)
        yield from (Part(file, number, share) for number in range(len(groups)))
    else:
        yield from (Part(file, start, min(size, total - start)) for start in range(0, total, size))


def measure_part(part: Part, file: BinaryIO) -> Measured:
    """Profile a part of a file that was opened."""
    bad: list[BadLine] = []
    if is_parquet(part.file):
        rows = load_parquet(part.file).read_rows(file, str(part.file), [part.start])
        table = profile(parse_rows(rows, part.file, on_bad=bad.append))
        return Measured(part, table, len(table) + len(bad), tuple(bad))
    lines = _lines(part, file)
    table = profile(parse_lines(lines, part.file, on_bad=bad.append))
    return Measured(part, table, len(lines), tuple(bad))


class BadLinePlaces:
    """Turns lines counted within a part into lines of the file; the parts have to come in their order."""

    def __init__(self) -> None:
        self._file: Path | str = ""
        self._before = 0

    def place(self, measured: Measured) -> Iterator[BadLine]:
        """Yield the lines of the next part that are no record, as their file counts them."""
        if measured.part.file != self._file:
            self._file, self._before = measured.part.file, 0
        for line in measured.bad:
            yield replace(line, number=self._before + line.number)
        self._before += measured.lines


def _lines(part: Part, file: BinaryIO) -> list[bytes]:
    """Return the lines that begin within a part; the last is longer than `LONGEST_LINE` if it is too long."""
    before = min(part.start, 1)  # one byte tells whether a line begins at the start
    file.seek(part.start - before)
    data = file.read(part.size + before)
    if before:
        _, line_end, data = data.partition(b"\n")
        if not (line_end and data):
            return []
    ended = data.endswith(b"\n")
    lines = data.removesuffix(b"\n").split(b"\n") if data else []
    if lines and not ended:
        rest = file.readline(LONGEST_LINE + 1 - len(lines[-1]))
        lines[-1] += rest.removesuffix(b"\n")
    return lines
