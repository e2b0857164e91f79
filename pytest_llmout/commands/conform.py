"""Look for texts that an implementation gets wrong.

TARGET is module:attribute: a function from text to text is held to the invariants of canonicalisers of Markdown, an
object with a parse method to those of output types. With --command it is a program in any language instead, which
reads each text as a JSON string in a line and answers with the canonical text, likewise.

Each invariant is reported with the smallest text found that breaks it. A text that breaks a basic invariant is not
held against those that come after it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pytest_llmout.cli import FINDINGS, OK
from pytest_llmout.conformance.canonicalizer import DEFAULT_EXAMPLES
from pytest_llmout.conformance.case import Subject
from pytest_llmout.conformance.hunt import all_findings
from pytest_llmout.conformance.invariants import INVARIANTS
from pytest_llmout.conformance.output_hunt import all_findings as all_output_findings
from pytest_llmout.conformance.output_hunt import replies_for
from pytest_llmout.conformance.output_invariants import INVARIANTS as OUTPUT_INVARIANTS
from pytest_llmout.conformance.program import Program
from pytest_llmout.errors import UsageError
from pytest_llmout.lookup import candidates, load_attribute
from pytest_llmout.reply_files import read_reply

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Mapping

    from pytest_llmout.conformance.finding import Finding
    from pytest_llmout.conformance.invariant import Invariant
    from pytest_llmout.contract import OutputType


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("target", nargs="?", metavar="TARGET", help="module:attribute of a function or an output type")
    parser.add_argument("--command", help="a program to run instead, such as 'node canon.js'")
    parser.add_argument(
        "--max-examples", type=int, default=DEFAULT_EXAMPLES, help="texts to generate (default: %(default)s)"
    )
    parser.add_argument("--seed", type=int, default=0, help="what the generated texts depend on (default: 0)")
    parser.add_argument("--xfails-file", metavar="FILE", help="invariants known to be broken, one a line, # comments")


def run(arguments: argparse.Namespace) -> int:
    """Hunt, print a line for each invariant and then the findings, and return the exit code."""
    if (arguments.target is None) == (arguments.command is None):
        raise UsageError("give either module:attribute or --command 'program'")
    if arguments.max_examples < 1:
        raise UsageError(f"--max-examples {arguments.max_examples}: give a number from 1")
    rules, findings = _hunt(arguments)
    xfails = _xfails(arguments.xfails_file, rules)
    surprises = 0
    for name, rule in rules.items():
        verdict, is_surprise = _verdict(is_broken=name in findings, is_expected=name in xfails)
        surprises += is_surprise
        print(f"{verdict:<6} {name:<16} {rule}")
    for name, finding in findings.items():
        if name not in xfails:
            print(f"\n{finding}")
    print(f"\n{len(rules)} invariants: {len(rules) - len(findings)} hold, {len(findings)} broken")
    return FINDINGS if surprises else OK


def _verdict(*, is_broken: bool, is_expected: bool) -> tuple[str, bool]:
    match is_broken, is_expected:
        case True, True:
            return "xfail", False
        case False, True:
            return "XPASS", True
        case True, False:
            return "BROKEN", True
        case _:
            return "ok", False


def _hunt(arguments: argparse.Namespace) -> tuple[dict[str, str], Mapping[str, Finding]]:
    limits = {"max_examples": arguments.max_examples, "seed": arguments.seed}
    if arguments.command is not None:
        with Program(arguments.command) as program:
            return _rules(INVARIANTS), all_findings(program.subject(), **limits)
    sys.path.insert(0, str(Path.cwd()))  # so that `module:attribute` finds the user's own module
    target = load_attribute(arguments.target)
    if isinstance(target, type):
        raise UsageError(f"{arguments.target} is a class: name an instance of it, or a function")
    if hasattr(target, "parse"):
        output_type = cast("OutputType[object]", target)
        replies = replies_for(output_type, replies=None, faults=None, **limits)
        return _rules(OUTPUT_INVARIANTS), all_output_findings(output_type, replies)
    if not callable(target):
        raise UsageError(f"{arguments.target} is neither a function nor an output type, but {type(target).__name__}")
    return _rules(INVARIANTS), all_findings(Subject(target), **limits)


def _rules(invariants: Iterable[Invariant[Any]]) -> dict[str, str]:
    return {invariant.name: invariant.rule for invariant in invariants}


def _xfails(file: str | None, rules: Mapping[str, str]) -> set[str]:
    if file is None:
        return set()
    lines = (line.partition("#")[0].strip() for line in read_reply(file).split("\n"))
    names = {line for line in lines if line}
    for name in sorted(names - rules.keys()):
        raise UsageError(f"{file}: no invariant is named {name!r}{candidates(name, rules)}")
    return names
