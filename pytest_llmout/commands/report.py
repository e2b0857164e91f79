"""Write the dialect report of a corpus: one HTML file that opens without a network, and the table behind it as CSV."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pytest_llmout.commands.profile import add_corpus, print_shares
from pytest_llmout.corpus.store import read_records
from pytest_llmout.dialect.groups import check_keys
from pytest_llmout.dialect.profile import profiles
from pytest_llmout.dialect.report import write_report
from pytest_llmout.dialect.selection import corpus_path
from pytest_llmout.dialect.summary import summarise

if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_corpus(parser)
    parser.add_argument("-o", "--output", type=Path, default=Path("reports"), help="the folder (default: %(default)s)")


def run(arguments: argparse.Namespace) -> int:
    """Print the table and write the files."""
    by = check_keys(arguments.by.split(","))
    summary = summarise(profiles(read_records(corpus_path(arguments.corpus))), by=by)
    print_shares(summary, by)
    for path in write_report(summary, by, arguments.output):
        print(f"wrote {path}")
    return 0
