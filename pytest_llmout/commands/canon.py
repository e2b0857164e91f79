"""Print the canonical form of Markdown replies.

Emphasis written with one asterisk becomes bold where that provably changes nothing else; every other byte stays. A file
holds one reply; a .jsonl file holds reply records, which --check, --diff and --edits can read.
"""

from __future__ import annotations

import io
import sys
from difflib import unified_diff
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_llmout.cli import FINDINGS, OK
from pytest_llmout.commands._output import check_output
from pytest_llmout.corpus.store import replace_file
from pytest_llmout.errors import UsageError
from pytest_llmout.outputs.markdown_output import Edit, apply_edits, markdown_edits
from pytest_llmout.reply_files import Reply, read_replies

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="replies; - is standard input")
    parser.add_argument("--check", action="store_true", help="exit with 1 if a reply would change, and name those")
    show = parser.add_mutually_exclusive_group()
    show.add_argument("--diff", action="store_true", help="print what would change, as a unified diff")
    show.add_argument(
        "--edits", action="store_true", help="print each insertion: line, column and offset in characters"
    )
    parser.add_argument("-o", "--output", type=Path, metavar="FILE", help="write to this file, not to standard output")


def run(arguments: argparse.Namespace) -> int:
    """Show every reply in the form asked for and return the exit code."""
    show = _form(arguments)
    if arguments.output:
        check_output(arguments.output)
    replies = [reply for name in arguments.files for reply in read_replies(name)]
    edits = [markdown_edits(reply.raw) for reply in replies]
    _write("".join(map(show, replies, edits)), arguments.output)
    return FINDINGS if arguments.check and any(edits) else OK


def _form(arguments: argparse.Namespace) -> Callable[[Reply, list[Edit]], str]:
    if arguments.diff:
        return _diff
    if arguments.edits:
        return _list_edits
    if arguments.check:
        return _name_changed
    for name in arguments.files:
        if name.endswith(".jsonl"):
            raise UsageError(f"{name}: reply records are no Markdown text; add --check, --diff or --edits")
    return _canonical


def _canonical(reply: Reply, edits: list[Edit]) -> str:
    return apply_edits(reply.raw, edits)


def _name_changed(reply: Reply, edits: list[Edit]) -> str:
    return f"{reply.where}: would change ({len(edits)} insertions)\n" if edits else ""


def _diff(reply: Reply, edits: list[Edit]) -> str:
    lines = unified_diff(
        _lines(reply.raw), _lines(apply_edits(reply.raw, edits)), reply.where, f"{reply.where} (canonical)"
    )
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _lines(text: str) -> list[str]:
    """Cut behind each line feed and nowhere else."""
    return list(io.StringIO(text, newline="\n"))


def _list_edits(reply: Reply, edits: list[Edit]) -> str:
    places = _lines_and_columns(reply.raw, edits)
    return "".join(
        f'{reply.where}:{line}:{column}: insert "{inserted}" at offset {offset}\n'
        for (line, column), (offset, inserted) in zip(places, edits, strict=True)
    )


def _lines_and_columns(text: str, edits: list[Edit]) -> Iterator[tuple[int, int]]:
    """Yield where each edit stands, both counted from 1."""
    line, done = 1, 0
    for offset, _ in edits:
        line += text.count("\n", done, offset)
        done = offset
        yield line, offset - text.rfind("\n", 0, offset)


def _write(text: str, output: Path | None) -> None:
    data = text.encode("utf-8", "surrogatepass")  # a record may hold a lone surrogate
    if output is None:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    try:
        replace_file(output, [data])
    except OSError as error:
        raise UsageError(f"{output}: cannot be written: {error.strerror}") from error
