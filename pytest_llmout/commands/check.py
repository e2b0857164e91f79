"""Check JSON replies against a schema.

The schema is a JSON Schema file (file.json#/$defs/Name for one definition of it), or module:Class for anything pydantic
takes. A file holds one reply; a .jsonl file holds reply records, or with --lines one reply a line. Each reply that
breaks the schema is named with what a model would be told about it.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

from pytest_llmout.cli import FINDINGS, OK
from pytest_llmout.contract import Failure, FailureKind, Ok
from pytest_llmout.errors import UsageError
from pytest_llmout.lookup import load_attribute
from pytest_llmout.outputs.json_output import Extract, JsonOutput, json_output
from pytest_llmout.reply_files import read_replies

if TYPE_CHECKING:
    import argparse

    from pytest_llmout.reply_files import Reply


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="replies; - is standard input")
    parser.add_argument("--schema", required=True, help="a JSON Schema file, or module:Class")
    parser.add_argument(
        "--extract", choices=get_args(Extract), default="fence", help="what may stand around the JSON (default: fence)"
    )
    parser.add_argument("--strict", action="store_true", help="let pydantic convert no types")
    parser.add_argument("--lines", action="store_true", help="each line of the files is a reply")


def run(arguments: argparse.Namespace) -> int:
    """Judge every reply and return the exit code."""
    output = json_output(_schema(arguments.schema), extract=arguments.extract, strict=arguments.strict or None)
    counts = Counter(
        _judged(output, reply) for name in arguments.files for reply in read_replies(name, lines=arguments.lines)
    )
    if not counts:
        raise UsageError(f"{', '.join(arguments.files)}: there is no reply in it")
    kinds = ", ".join(f"{counts[kind]} {kind}" for kind in ("ok", *FailureKind))
    print(f"{counts.total()} {'reply' if counts.total() == 1 else 'replies'}: {kinds}")
    return OK if counts["ok"] == counts.total() else FINDINGS


def _judged(output: JsonOutput[Any], reply: Reply) -> str:
    match output.parse(reply.raw):
        case Ok():
            return "ok"
        case Failure(kind, observed, reason):
            print(f"{reply.where}: {kind} ({reason}): {observed}")
            return kind


def _schema(name: str) -> object:
    is_file = Path(name).exists() or ":" not in name
    if is_file:
        return Path(name)
    sys.path.insert(0, str(Path.cwd()))  # so that `module:Class` finds the user's own module
    return load_attribute(name)
