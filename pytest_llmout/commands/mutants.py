"""Prove the power of the invariants on planted faults.

Each line is a faulty canonicaliser or output type with the invariants that it breaks, the most basic first. With -o the
matrix is drawn too, as .svg, .png or .html. The exit code is 1 if a fault is not found.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pytest_llmout.cli import FINDINGS, OK
from pytest_llmout.commands._output import check_output
from pytest_llmout.conformance.mutants.matrix import TABLES, Row, only_kills
from pytest_llmout.conformance.mutants.picture import check_suffix, write_picture
from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Sequence


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--only", choices=TABLES, help="one of the two tables")
    parser.add_argument("--max-examples", type=int, default=100, help="texts to generate for each (default: 100)")
    parser.add_argument("--seed", type=int, default=0, help="what the generated texts depend on (default: 0)")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="where to draw the matrix")


def run(arguments: argparse.Namespace) -> int:
    """Print the tables, draw them, and return the exit code."""
    if arguments.max_examples < 1:
        raise UsageError(f"--max-examples {arguments.max_examples}: give a number from 1")
    if arguments.output:
        check_suffix(arguments.output)
        check_output(arguments.output)
    tables = {}
    for title, (names, rows_of) in TABLES.items():
        if arguments.only in (None, title):
            print(f"Faulty {title}")
            tables[title] = (names, list(_printed(rows_of, arguments)))
            _print_power(names, tables[title][1])
    if arguments.output:
        write_picture(arguments.output, tables)
    survivors = [row.mutant for _, rows in tables.values() for row in rows if not row.killers]
    return FINDINGS if survivors else OK


def _printed(rows_of: Callable[..., Iterator[Row]], arguments: argparse.Namespace) -> Iterator[Row]:
    for row in rows_of(max_examples=arguments.max_examples, seed=arguments.seed):
        print(f"  {row.mutant:<36} {', '.join(row.killers) or 'SURVIVED'}", flush=True)
        yield row


def _print_power(names: Sequence[str], rows: Sequence[Row]) -> None:
    killed = [row for row in rows if row.killers]
    print(f"  {len(killed)} of {len(rows)} killed\n\n  {'invariant':<36} kills  kills first")
    for name, first in only_kills(rows, names).items():
        print(f"  {name:<36} {sum(name in row.killers for row in rows):>5}  {len(first):>11}")
    print()
