"""Ask a model the prompts of a file and record its replies.

Every prompt is asked under every configuration of the file, as often as --samples says. Each reply is one line of the
output file, written as soon as it is there. The same command goes on where an interrupted one stopped: what the file
already holds is not asked again. Ctrl-C waits for the replies under way and keeps them; a second one does not.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tqdm import tqdm

from pytest_llmout.cli import FINDINGS, OK
from pytest_llmout.commands._output import check_output
from pytest_llmout.corpus.models import load_model
from pytest_llmout.corpus.prompts import read_prompts
from pytest_llmout.corpus.recorder import RecordingOptions, plan, record_replies
from pytest_llmout.counted import counted
from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    from pydantic import JsonValue


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("prompts", type=Path, help="the prompt file (.toml, .yaml)")
    parser.add_argument("--model", required=True, metavar="SPEC", help="llm:NAME or module:callable")
    parser.add_argument("-o", "--output", type=Path, help="the corpus file (.jsonl); default: named after the prompts")
    parser.add_argument("--samples", type=_positive, default=1, help="replies to each prompt (default: 1)")
    parser.add_argument(
        "--configuration", action="append", default=[], metavar="NAME", help="only this one; may be repeated"
    )
    parser.add_argument(
        "--parameter",
        action="append",
        default=[],
        type=_parameter,
        metavar="K=V",
        help="override a parameter (JSON, or a text)",
    )
    parser.add_argument("--concurrency", type=_positive, default=1, help="questions under way at once (default: 1)")
    parser.add_argument("--licence", help="under which the replies may be used (SPDX)")
    parser.add_argument("--keep-going", action="store_true", help="ask on after the model failed on a prompt")


def run(arguments: argparse.Namespace) -> int:
    """Record what is missing and return the exit code."""
    sys.path.insert(0, str(Path.cwd()))  # so that `module:callable` finds the user's own module
    path = _output(arguments)
    model = load_model(arguments.model)
    questions = plan(
        read_prompts(arguments.prompts),
        model,
        samples=arguments.samples,
        configurations=arguments.configuration,
        parameters=dict(arguments.parameter),
    )
    options = RecordingOptions(
        concurrency=arguments.concurrency, keep_going=arguments.keep_going, licence=arguments.licence
    )
    with tqdm(total=len(questions), unit="reply", disable=None) as bar:
        refusals = record_replies(questions, model, path, options=options, on_replies=bar.update)
    for refusal in refusals:
        print(f"llmout: the model failed on {refusal}", file=sys.stderr)
    if refusals:
        return FINDINGS
    print(f"{path}: {counted(len(questions), 'reply', 'replies')}")
    return OK


def _output(arguments: argparse.Namespace) -> Path:
    path: Path = arguments.output or Path(arguments.prompts.stem + ".jsonl")
    if path.suffix != ".jsonl" or path.is_dir():
        raise UsageError(f"{path}: the output is a file that ends in .jsonl")
    check_output(path)
    return path


def _parameter(text: str) -> tuple[str, JsonValue]:
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form name=value")
    try:
        return name, json.loads(value)
    except ValueError as error:
        if value.startswith(("{", "[", '"')):
            raise argparse.ArgumentTypeError(f"{name}: {value!r} begins as JSON does, and is none: {error}") from None
        return name, value


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1")
    return int(text)
