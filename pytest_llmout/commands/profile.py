"""Tabulate how the replies of a corpus are written.

Prints the share of replies that show each dialect feature, for each model, configuration and day. With -o it also
writes one row for each reply, as .csv, .json, .jsonl or .parquet.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pytest_llmout.commands._replies import add_corpus, open_replies
from pytest_llmout.dialect.groups import check_keys
from pytest_llmout.dialect.profile import profiles
from pytest_llmout.dialect.summary import summarise
from pytest_llmout.dialect.tables import written
from pytest_llmout.dialect.text_table import group_names, plain_table, share_rows

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    import pandas as pd


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
    with open_replies(arguments.corpus, strict=arguments.strict) as read:
        frames = profiles(read())
        summary = summarise(written(frames, arguments.output) if arguments.output else frames, by=by)
    print_shares(summary, by)
    return 0
