"""How the commands of the instrument take replies: which, what to do with a bad line, and as often as they need."""

from __future__ import annotations

import shutil
import sys
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from pytest_llmout.corpus.store import BadLine, read_records, shipped_corpus, stop_at_bad_line
from pytest_llmout.counted import counted
from pytest_llmout.dialect.baseline import read_baseline
from pytest_llmout.dialect.groups import DEFAULT_KEYS, KEYS
from pytest_llmout.dialect.profile import profile
from pytest_llmout.dialect.selection import choose
from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator

    import pandas as pd

    from pytest_llmout.corpus.record import ReplyRecord


def add_corpus(parser: argparse.ArgumentParser) -> None:
    """Declare the corpus and what to group its replies by."""
    parser.add_argument(
        "corpus",
        nargs="?",
        default="",
        help="a JSONL or Parquet file of reply records, a folder of them, or -; default: the corpus shipped",
    )
    add_groups(parser)


def add_groups(parser: argparse.ArgumentParser) -> None:
    """Declare what replies are grouped by, and how strictly they are read."""
    parser.add_argument(
        "--by",
        default=",".join(DEFAULT_KEYS),
        metavar="KEYS",
        help=f"what to group by, of {', '.join(KEYS)} (default: %(default)s)",
    )
    add_strict(parser)


def add_strict(parser: argparse.ArgumentParser) -> None:
    """Declare how strictly replies are read."""
    parser.add_argument("--strict", action="store_true", help="stop at a line that is no reply record")


class BadLines:
    """Lines that are no reply record: named and left out, or with `--strict` the end."""

    shown = 5
    """How many are named; of the others it is told how many there are."""

    def __init__(self, *, strict: bool) -> None:
        self.strict = strict
        self._count = 0
        self._lines: list[BadLine] = []

    def add(self, line: BadLine) -> None:
        """Count a line, and keep it if it is one of the first."""
        if self.strict:
            stop_at_bad_line(line)
        self._count += 1
        if len(self._lines) < self.shown:
            self._lines.append(line)

    def reader(self) -> Callable[[BadLine], None]:
        """Return an `add` for one reading of a corpus: what an earlier reading met in the same order counts once."""
        places = count()

        def add(line: BadLine) -> None:
            if next(places) >= self._count:
                self.add(line)

        return add

    def refuse(self) -> None:
        """Say that a source has no other lines.

        Raises:
            UsageError: There are such lines.
        """
        if self._lines:
            stop_at_bad_line(self._lines[0])

    def tell(self) -> None:
        """Name the lines on standard error."""
        for line in self._lines:
            print(f"llmout: {line}; left out", file=sys.stderr)
        if self._count > self.shown:
            more = counted(self._count - self.shown, "more such line")
            print(f"llmout: {more} left out", file=sys.stderr)


@contextmanager
def open_corpus(corpus: str) -> Iterator[Path]:
    """Give the file or folder that an argument names; standard input is kept in a file meanwhile."""
    with TemporaryDirectory() as folder:
        yield _path(corpus, Path(folder))


@contextmanager
def open_replies(corpus: str, *, strict: bool) -> Iterator[Callable[[], Iterator[ReplyRecord]]]:
    """Give a function that reads the corpus from its start each time; bad lines are told once, at the end.

    Args:
        corpus: A path, `-` for standard input, or nothing for the corpus shipped.
        strict: Whether to stop at a bad line.
    """
    bad = BadLines(strict=strict)
    with open_corpus(corpus) as path:

        def read() -> Iterator[ReplyRecord]:
            empty = True
            for record in read_records(path, on_bad=bad.reader()):
                empty = False
                yield record
            if empty:
                bad.refuse()

        yield read
    bad.tell()


def read_side(argument: str, *, strict: bool) -> pd.DataFrame:
    """Profile the replies that `PATH::key=value,key=value` names.

    Args:
        argument: A corpus, or a baseline file (`.json`), and after `::` which of its replies; both may be left out.
        strict: Whether to stop at a line that is no reply record.

    Raises:
        UsageError: A key is unknown, nothing can be read there, or no reply is left.
    """
    place, _, conditions = argument.partition("::")
    if place.endswith(".json"):
        frame = read_baseline(Path(place))
    else:
        with open_replies(place, strict=strict) as read:
            frame = profile(read())
    try:
        return choose(frame, conditions)
    except UsageError as error:
        raise UsageError(f"{argument}: {error}") from None


def _path(corpus: str, folder: Path) -> Path:
    if corpus != "-":
        return Path(corpus) if corpus else shipped_corpus()
    path = folder / "stdin.jsonl"
    with path.open("wb") as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
    return path
