"""Import replies that other programs have kept, as a corpus of reply records.

The format of each source is detected, or named with --from; `llmout formats` lists the formats. What gives no reply is
counted, with the reason and the first place it was met.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING, Any

from tqdm import tqdm

from pytest_llmout.cli import OK
from pytest_llmout.commands._output import check_output
from pytest_llmout.corpus.importers.importer import detect_format, load_importer
from pytest_llmout.corpus.importers.source import Source
from pytest_llmout.corpus.importing import complete
from pytest_llmout.corpus.store import write_records
from pytest_llmout.counted import counted
from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_llmout.corpus.importers.importer import Skipped
    from pytest_llmout.corpus.record import ReplyRecord


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("source", help="a file or a folder; - is standard input")
    parser.add_argument("--from", dest="format", metavar="FORMAT", help="the format (default: detected)")
    parser.add_argument("-o", "--output", type=Path, required=True, help="the corpus file (.jsonl), replaced whole")
    parser.add_argument("--model", metavar="NAME", help="who wrote the replies whose source does not say")
    parser.add_argument("--configuration", metavar="NAME", help="the name of the set-up the replies came from")
    parser.add_argument("--output-type", metavar="TYPE", help="what the replies were asked for, such as json")
    parser.add_argument("--licence", help="under which the replies may be used (SPDX)")
    parser.add_argument(
        "--column",
        action="append",
        default=[],
        type=_column,
        metavar="FIELD=COLUMN",
        help="which column of a table holds raw, prompt, model, …; may be repeated",
    )
    parser.add_argument("--strict", action="store_true", help="refuse a source in which anything is skipped")


def run(arguments: argparse.Namespace) -> int:
    """Import the source and say what was skipped."""
    output = _output(arguments)
    log = ImportLog(arguments.source, strict=arguments.strict)
    with _local(arguments.source) as path, tqdm(unit="reply", disable=None) as bar:
        source = Source(path, dict(arguments.column), name="standard input" if arguments.source == "-" else "")
        peek = source.peek()
        name = arguments.format or detect_format(peek)
        records = complete(
            load_importer(name).read(source),
            source=name,
            file=Path(arguments.source).name,
            defaults=_defaults(arguments),
            on_skipped=log.skip,
        )
        try:
            write_records(output, _counted(records, bar, log))
        except OSError as error:
            raise UsageError(f"{output}: cannot be written: {error.strerror}") from error
    for line in log.lines():
        print(f"llmout: {line}", file=sys.stderr)
    replies, entries = counted(log.imported, "reply", "replies"), counted(log.skipped, "entry", "entries")
    print(f"{output}: {replies} from {name}, {entries} skipped")
    return OK


class ImportLog:
    """Counts what was imported, and what was skipped by reason.

    Args:
        source: What the user called the source.
        strict: Refuse the first entry that is skipped.
    """

    def __init__(self, source: str, *, strict: bool = False) -> None:
        self.imported = 0
        self.source = source
        self._strict = strict
        self._counts: Counter[str] = Counter()
        self._firsts: dict[str, str] = {}

    @property
    def skipped(self) -> int:
        """How many entries were skipped."""
        return self._counts.total()

    def skip(self, entry: Skipped) -> None:
        """Count one entry that gave no reply.

        Raises:
            UsageError: The log is strict.
        """
        line = f"{self.source}:{entry.where}: {entry}"
        if self._strict:
            raise UsageError(line)
        self._counts[entry.why] += 1
        self._firsts.setdefault(entry.why, line)

    def lines(self) -> Iterator[str]:
        """Yield a line for each reason: the first entry, and how many more there are."""
        for why, count in self._counts.most_common():
            yield self._firsts[why] + (f" (and {count - 1} more like it)" if count > 1 else "")


def _counted(records: Iterator[ReplyRecord], bar: tqdm[Any], log: ImportLog) -> Iterator[ReplyRecord]:
    for record in records:
        log.imported += 1
        bar.update()
        yield record
    if not log.imported:
        raise UsageError("; ".join([f"{log.source}: there is no reply in it", *log.lines()]))


def _output(arguments: argparse.Namespace) -> Path:
    path: Path = arguments.output
    if path.suffix != ".jsonl" or path.is_dir():
        raise UsageError(f"{path}: the output is a file that ends in .jsonl")
    if path.exists() and Path(arguments.source).exists() and path.samefile(arguments.source):
        raise UsageError(f"{path}: the output would replace the source")
    check_output(path)
    return path


@contextmanager
def _local(name: str) -> Iterator[Path]:
    """Give standard input a file, since formats are told by looking twice."""
    if name != "-":
        if not Path(name).exists():
            raise UsageError(f"{name}: no such file or folder")
        yield Path(name)
        return
    with NamedTemporaryFile(prefix="llmout-") as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
        file.flush()
        yield Path(file.name)


def _defaults(arguments: argparse.Namespace) -> dict[str, Any]:
    defaults = {"configuration": arguments.configuration, "licence": arguments.licence}
    model = {"model": {"name": arguments.model}} if arguments.model else {}
    output = {"output": {"type": arguments.output_type}} if arguments.output_type else {}
    return {name: value for name, value in defaults.items() if value is not None} | model | output


def _column(text: str) -> tuple[str, str]:
    field, equals, column = text.partition("=")
    if not (field and equals and column):
        raise argparse.ArgumentTypeError(f"{text!r} is not of the form field=column")
    return field, column
