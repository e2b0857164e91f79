"""Tabulate how the replies of a corpus are written.

Prints the share of replies that show each dialect feature, for each model, configuration and day. With -o it also
writes one row for each reply, as .csv, .json, .jsonl or .parquet.

A large corpus is spread over all cores. With --engine dask it is spread over a cluster: the corpus is then a path, a
glob or an URL of JSONL or Parquet files that every worker can read, and -o a folder or an URL for Parquet files.
"""

from __future__ import annotations

import os
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from tqdm import tqdm

from pytest_llmout.commands._output import check_output
from pytest_llmout.commands._replies import BadLines, add_corpus, open_corpus
from pytest_llmout.corpus.store import corpus_files
from pytest_llmout.dialect.counting import count_features
from pytest_llmout.dialect.groups import check_keys
from pytest_llmout.dialect.partitions import part_size, profile_corpus
from pytest_llmout.dialect.summary import summarise, summarise_counts
from pytest_llmout.dialect.tables import check_table, written
from pytest_llmout.dialect.text_table import group_names, plain_table, share_rows
from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator, Sequence

    import pandas as pd

_WORTH_SPREADING = 16 * 2**20
"""Bytes of a corpus from which on starting processes takes less time than they save."""


def print_shares(summary: pd.DataFrame, by: Sequence[str]) -> None:
    """Print the table of shares under what all its columns have in common."""
    common, _ = group_names(summary, by)
    print(f"{common or 'all replies'}: share of replies that show each feature\n")
    print(plain_table(share_rows(summary, by)))


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_corpus(parser)
    parser.add_argument("-o", "--output", help="write one row for each reply to this file")
    parser.add_argument("--workers", type=_positive, help="processes (default: all cores if the corpus is large)")
    parser.add_argument("--engine", choices=["local", "dask"], default="local", help="what spreads the work")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="of a Dask cluster (default: one of this machine)")


def run(arguments: argparse.Namespace) -> int:
    """Print the table, and write the rows if asked."""
    by = check_keys(arguments.by.split(","))
    if arguments.scheduler and arguments.engine != "dask":
        raise UsageError("--scheduler is for --engine dask")
    if arguments.output and arguments.engine == "local":
        check_table(Path(arguments.output))
        check_output(Path(arguments.output))
    bad = BadLines(strict=arguments.strict)
    summarise_on = _on_dask if arguments.engine == "dask" else _here
    print_shares(summarise_on(arguments, by, bad), by)
    bad.tell()
    return 0


def _here(arguments: argparse.Namespace, by: Sequence[str], bad: BadLines) -> pd.DataFrame:
    with open_corpus(arguments.corpus) as path:
        total = sum(file.stat().st_size for file in corpus_files(path))
        workers = arguments.workers or (_cores() if total >= _WORTH_SPREADING else 1)
        with tqdm(total=total, unit="B", unit_scale=True, disable=None) as bar:
            tables = partial(
                profile_corpus,
                path,
                workers=workers,
                size=part_size(total, workers),
                on_bad=bad.add,
                on_part=bar.update,
            )
            if arguments.output:
                return summarise(written(_not_empty(tables(), bad), Path(arguments.output)), by=by)
            return summarise_counts(_not_empty(tables(reduce=partial(count_features, by=by)), bad), by=by)


def _not_empty(frames: Iterable[pd.DataFrame], bad: BadLines) -> Iterator[pd.DataFrame]:
    empty = True
    for frame in frames:
        empty = False
        yield frame
    if empty:
        bad.refuse()


def _on_dask(arguments: argparse.Namespace, by: Sequence[str], bad: BadLines) -> pd.DataFrame:
    try:
        engine = import_module("pytest_llmout.dialect.dask_engine")
    except ModuleNotFoundError as error:
        raise UsageError(f"--engine dask needs {error.name}: pip install 'pytest-llmout[scale]'") from error
    if arguments.corpus in ("", "-"):
        raise UsageError("--engine dask needs a path, a glob or an URL of the corpus")
    cluster = engine.Cluster(scheduler=arguments.scheduler, workers=arguments.workers or _cores())
    summary: pd.DataFrame = engine.profile_on_dask(
        arguments.corpus, arguments.output, cluster=cluster, by=by, on_bad=bad.add
    )
    return summary


def _cores() -> int:
    return os.cpu_count() or 1


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise UsageError(f"--workers {text}: not a whole number from 1")
    return int(text)
