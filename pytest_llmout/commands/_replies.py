"""How the commands of the instrument take replies: which, what to do with a bad line, and as often as they need."""

from __future__ import annotations

import shutil
import sys
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from pytest_llmout.corpus.store import BadLine, read_records, shipped_corpus, stop_at_bad_line
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
        help="a JSONL file of reply records, a folder of them, or -; default: the corpus shipped",
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


def on_bad(arguments: argparse.Namespace) -> Callable[[BadLine], None]:
    """Return what is done with a line that is no reply record: it is named and left out, or with --strict the end."""
    return stop_at_bad_line if arguments.strict else _warn


@contextmanager
def open_replies(corpus: str, bad: Callable[[BadLine], None]) -> Iterator[Callable[[], Iterator[ReplyRecord]]]:
    """Give a function that reads the corpus from its start each time; bad lines are told once.

    Args:
        corpus: A path, `-` for standard input, or nothing for the corpus shipped.
        bad: What to do with a line that is no reply record.
    """
    with TemporaryDirectory() as folder:
        path = _path(corpus, Path(folder))
        told: set[BadLine] = set()

        def tell(line: BadLine) -> None:
            if line not in told:
                told.add(line)
                bad(line)

        yield lambda: read_records(path, on_bad=tell)


def read_side(argument: str, bad: Callable[[BadLine], None]) -> pd.DataFrame:
    """Profile the replies that `PATH::key=value,key=value` names.

    Args:
        argument: A corpus, or a baseline file (`.json`), and after `::` which of its replies; both may be left out.
        bad: What to do with a line that is no reply record.

    Raises:
        UsageError: A key is unknown, nothing can be read there, or no reply is left.
    """
    place, _, conditions = argument.partition("::")
    if place.endswith(".json"):
        frame = read_baseline(Path(place))
    else:
        with open_replies(place, bad) as read:
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


def _warn(line: BadLine) -> None:
    print(f"llmout: {line}; left out", file=sys.stderr)
