"""Keep the baseline that `llmout drift` compares with in a file of the repository.

  llmout baseline update CORPUS   put the groups of this corpus in place of the baseline's own
  llmout baseline show            list what the baseline holds
  llmout baseline prune CORPUS    drop the groups and prompts that this corpus no longer has

It holds counts of features and hashes of JSON payloads, no text of a reply.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pytest_llmout.commands._output import check_output
from pytest_llmout.commands._replies import add_strict, read_side
from pytest_llmout.dialect.baseline import FILE, pruned, read_baseline, updated, write_baseline
from pytest_llmout.dialect.tables import writing
from pytest_llmout.dialect.text_table import label, plain_table
from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    import argparse

    import pandas as pd

_GROUP = ["model", "configuration", "date"]


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("action", choices=["update", "show", "prune"])
    parser.add_argument("corpus", nargs="?", help="PATH or PATH::key=value, as for `llmout drift`")
    add_strict(parser)
    parser.add_argument("--file", type=Path, default=Path(FILE), help="the baseline file (%(default)s)")


def run(arguments: argparse.Namespace) -> int:
    """Do what was asked, and list what the baseline holds then."""
    if (arguments.corpus is None) != (arguments.action == "show"):
        raise UsageError("`baseline update` and `baseline prune` take a corpus, `baseline show` takes none")
    file = arguments.file
    if arguments.action != "show":
        check_output(file)
    match arguments.action:
        case "update":
            replies = read_side(arguments.corpus, strict=arguments.strict)
            frame = updated(read_baseline(file), replies) if file.exists() else replies
            _write(file, frame)
        case "prune":
            frame = pruned(read_baseline(file), read_side(arguments.corpus, strict=arguments.strict))
            _write(file, frame)
        case _:
            frame = read_baseline(file)
    print(plain_table(_listing(frame)))
    return 0


def _write(file: Path, frame: pd.DataFrame) -> None:
    with writing(file):
        write_baseline(file, frame)


def _listing(frame: pd.DataFrame) -> list[list[str]]:
    rows = [
        [label(key), str(group["prompt_id"].nunique()), str(len(group))]
        for key, group in frame.groupby(_GROUP, sort=True)
    ]
    return [["group", "prompts", "replies"], *rows]
