"""Tabulate how the replies of a corpus are written.

Prints the share of replies that show each dialect feature, for each model, configuration and day. With -o it also
writes one row for each reply, as .csv, .json or .jsonl.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pytest_llmout.corpus.store import read_records
from pytest_llmout.dialect.groups import DEFAULT_KEYS, KEYS, check_keys
from pytest_llmout.dialect.profile import profiles
from pytest_llmout.dialect.selection import corpus_path
from pytest_llmout.dialect.summary import summarise
from pytest_llmout.dialect.tables import written
from pytest_llmout.dialect.text_table import group_names, plain_table, share_rows

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    import pandas as pd


def add_corpus(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments that every command over a corpus takes."""
    parser.add_argument(
        "corpus",
        nargs="?",
        default="",
        help="a JSONL file of reply records, a folder of them, or -; default: the corpus shipped",
    )
    parser.add_argument(
        "--by",
        default=",".join(DEFAULT_KEYS),
        metavar="KEYS",
        help=f"what to group by, of {', '.join(KEYS)} (default: %(default)s)",
    )


def print_shares(summary: pd.DataFrame, by: Sequence[str]) -> None:
    """Print the table of shares under what all its columns have in common."""
    common, _ = group_names(summary, by)
    print(f"{common}: share of replies that show each feature\n\n{plain_table(share_rows(summary, by))}")


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_corpus(parser)
    parser.add_argument("-o", "--output", type=Path, help="write one row for each reply to this file")


def run(arguments: argparse.Namespace) -> int:
    """Print the table, and write the rows if asked."""
    by = check_keys(arguments.by.split(","))
    frames = profiles(read_records(corpus_path(arguments.corpus)))
    summary = summarise(written(frames, arguments.output) if arguments.output else frames, by=by)
    print_shares(summary, by)
    return 0
