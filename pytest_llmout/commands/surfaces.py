"""Count where surfaces show replies differently, as written and in canonical form.

Each reply is projected to Slack, GitHub, a web page and plain text, and what each then shows is read back: which words
are bold, italic, struck, code or linked. A file holds one reply; a .jsonl file holds reply records.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_llmout.cli import FINDINGS, OK
from pytest_llmout.corpus.store import read_records, shipped_corpus
from pytest_llmout.counted import counted
from pytest_llmout.dialect.surface_counts import SurfaceCounts
from pytest_llmout.dialect.text_table import plain_table
from pytest_llmout.errors import UsageError
from pytest_llmout.reply_files import read_replies

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("files", nargs="*", metavar="FILE", help="replies; - is standard input; without, the corpus")
    parser.add_argument("--list", action="store_true", help="name the words that canonical replies still differ in")
    parser.add_argument("--check", action="store_true", help="exit with 1 if surfaces disagree about a canonical reply")


def run(arguments: argparse.Namespace) -> int:
    """Print the table and return the exit code."""
    counts = SurfaceCounts()
    for where, raw in _replies(arguments.files):
        left = counts.add(where, raw)
        if arguments.list:
            print(*(f"{where}: {each}\n" for each in left), sep="", end="")
    if not counts.total:
        raise UsageError("no reply to show: the files hold none")
    print(plain_table(counts.rows()))
    print(f"of {counted(counts.total, 'reply', 'replies')}")
    return FINDINGS if arguments.check and counts.open_canonical else OK


def _replies(files: list[str]) -> Iterator[tuple[str, str]]:
    for name in files:
        yield from read_replies(name)
    if not files:
        yield from ((record.id, record.raw) for record in read_records(shipped_corpus()))
