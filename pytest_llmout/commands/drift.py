"""Compare how two sides write, and gate on it.

A side is PATH, or PATH::key=value,key=value for some of its replies; PATH is a corpus, a baseline file (.json), or
nothing for the corpus shipped. Replies are paired by prompt, and groups (model, configuration, day) are never pooled.
Several days of one candidate are compared in turn, each at a stricter level, so that many nights with one baseline
raise no more false alarms than a single comparison; --look says so of a candidate that holds tonight's replies only.
"""

from __future__ import annotations

import sys
from argparse import ArgumentTypeError
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_llmout.commands._output import check_output
from pytest_llmout.commands._replies import add_groups, read_side
from pytest_llmout.corpus.store import replace_file
from pytest_llmout.dialect.discovery import Limits
from pytest_llmout.dialect.drift import Comparison, Verdict, compare
from pytest_llmout.dialect.drift_formats import FORMATS
from pytest_llmout.dialect.selection import Match, match_groups
from pytest_llmout.dialect.tables import writing
from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    import argparse

_GATES = {"drift": Verdict.DRIFT, "too-few": Verdict.TOO_FEW}


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    defaults = Limits()
    parser.add_argument("baseline", help="the side to compare with")
    parser.add_argument("candidate", help="the side to judge")
    parser.add_argument("--level", type=_share, default=defaults.level, help="false discovery rate (%(default)s)")
    parser.add_argument(
        "--min-effect", type=_share, default=defaults.rate_effect, help="smallest change of a rate (%(default)s)"
    )
    parser.add_argument(
        "--min-effect-sd",
        type=float,
        default=defaults.count_effect,
        help="smallest change of a count, in standard deviations (%(default)s)",
    )
    parser.add_argument(
        "--power", type=_share, default=defaults.power, help="for the sizes that are told (%(default)s)"
    )
    parser.add_argument(
        "--look",
        type=int,
        help="its place in a series of comparisons with this baseline; days of one candidate count by themselves",
    )
    add_groups(parser)
    parser.add_argument("--fail-on", choices=_GATES, action="append", default=[], help="exit with 1 on this verdict")
    parser.add_argument("--format", choices=FORMATS, default="text", help="of the output (%(default)s)")
    parser.add_argument("-o", "--output", type=Path, help="write it to this file")


def run(arguments: argparse.Namespace) -> int:
    """Compare, write, and return 1 if a gate is shut."""
    if arguments.look is not None and arguments.look < 1:
        raise UsageError(f"--look {arguments.look}: the first comparison is 1")
    if arguments.output:
        check_output(arguments.output)
    text = FORMATS[arguments.format](comparisons := _comparisons(arguments))
    if arguments.output:
        with writing(arguments.output):
            replace_file(arguments.output, [text.encode()])
    else:
        sys.stdout.write(text)
    gates = [_GATES[name] for name in arguments.fail_on]
    return int(any(comparison.having(verdict) for comparison in comparisons for verdict in gates))


def _comparisons(arguments: argparse.Namespace) -> list[Comparison]:
    limits = Limits(
        level=arguments.level,
        rate_effect=arguments.min_effect,
        count_effect=arguments.min_effect_sd,
        power=arguments.power,
    )
    sides = [read_side(side, strict=arguments.strict) for side in (arguments.baseline, arguments.candidate)]
    matching = match_groups(*sides, by=arguments.by.split(","))
    for where, groups in (("baseline", matching.only_baseline), ("candidate", matching.only_candidate)):
        if groups:
            print(f"llmout: not compared, since only in the {where}: {'; '.join(groups)}", file=sys.stderr)
    return [
        compare(match.baseline, day, names=(match.name, name), limits=limits, look=_look(arguments.look, number, match))
        for match in matching.matches
        for number, (name, day) in enumerate(match.days)
    ]


def _look(first: int | None, number: int, match: Match) -> int | None:
    return None if first is None and len(match.days) == 1 else (first or 1) + number


def _share(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is not a number") from None
    if not 0 < value < 1:
        raise ArgumentTypeError(f"{text} must lie between 0 and 1")
    return value
