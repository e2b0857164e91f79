"""Write the dialect report of a corpus: one HTML file that opens without a network, and the tables behind it as CSV.

The groups of the corpus (model, configuration, day) are compared with one of them, the baseline.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pytest_llmout.commands._output import check_output
from pytest_llmout.commands._replies import add_corpus, open_replies
from pytest_llmout.commands.profile import print_shares
from pytest_llmout.dialect.findings import gather
from pytest_llmout.dialect.groups import check_keys
from pytest_llmout.dialect.report import write_report
from pytest_llmout.dialect.tables import writing

if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_corpus(parser)
    parser.add_argument("--baseline", metavar="GROUP", help="the group to compare with (the first)")
    parser.add_argument("--pictures", action="store_true", help="write each chart as SVG and PNG too")
    parser.add_argument("-o", "--output", type=Path, default=Path("reports"), help="the folder (default: %(default)s)")


def run(arguments: argparse.Namespace) -> int:
    """Print the table and write the files."""
    by = check_keys(arguments.by.split(","))
    check_output(arguments.output, folder=True)
    with open_replies(arguments.corpus, strict=arguments.strict) as read:
        findings = gather(read, by=by, baseline=arguments.baseline)
    print_shares(findings.summary, by)
    with writing(arguments.output):
        paths = write_report(findings, arguments.output, pictures=arguments.pictures)
    print("\n".join(f"wrote {path}" for path in paths))
    return 0
