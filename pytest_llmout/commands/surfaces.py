"""Count where surfaces show replies differently, as written and in canonical form.

Each reply is projected to Slack, GitHub, a web page and plain text, and what each then shows is read back: which words
are bold, italic, struck, code or linked. A file holds one reply; a .jsonl file holds reply records.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_llmout.boundary.surfaces.agreement import REASONS, disagreements
from pytest_llmout.cli import FINDINGS, OK
from pytest_llmout.corpus.store import read_records, shipped_corpus
from pytest_llmout.counted import counted
from pytest_llmout.dialect.text_table import plain_table
from pytest_llmout.errors import UsageError
from pytest_llmout.outputs.markdown_output import canonicalize_markdown
from pytest_llmout.reply_files import read_replies

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from pytest_llmout.boundary.surfaces.agreement import Disagreement

_HEAD = ["reason", "replies as written", "places", "replies canonical", "places"]


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("files", nargs="*", metavar="FILE", help="replies; - is standard input; without, the corpus")
    parser.add_argument("--list", action="store_true", help="name the words that canonical replies still differ in")
    parser.add_argument("--check", action="store_true", help="exit with 1 if surfaces disagree about a canonical reply")


def run(arguments: argparse.Namespace) -> int:
    """Print the table and return the exit code."""
    written, canonical = _Count(), _Count()
    total = 0
    for where, raw in _replies(arguments.files):
        total += 1
        written.add(disagreements(raw))
        left = disagreements(canonicalize_markdown(raw))
        canonical.add(left)
        if arguments.list:
            print(*(f"{where}: {each}\n" for each in left), sep="", end="")
    if not total:
        raise UsageError("no reply to show: the files hold none")
    print(plain_table([_HEAD, *([reason, *written.row(reason), *canonical.row(reason)] for reason in REASONS)]))
    print(f"of {counted(total, 'reply', 'replies')}")
    return FINDINGS if arguments.check and canonical.places else OK


def _replies(files: list[str]) -> Iterator[tuple[str, str]]:
    for name in files:
        yield from read_replies(name)
    if not files:
        yield from ((record.id, record.raw) for record in read_records(shipped_corpus()))


@dataclass(slots=True)
class _Count:
    """Disagreements by their reason."""

    replies: Counter[str] = field(default_factory=Counter)
    places: Counter[str] = field(default_factory=Counter)

    def add(self, found: list[Disagreement]) -> None:
        reasons = [each.reason for each in found]
        self.places.update(reasons)
        self.replies.update(set(reasons))

    def row(self, reason: str) -> list[str]:
        return [str(self.replies[reason]), str(self.places[reason])]
