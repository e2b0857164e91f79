"""Tables with named columns: CSV, TSV or Parquet, and JSON Lines with --from table."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from pytest_llmout.corpus.importers.fields import at, first, messages_of, model_of, moment, parsed, word
from pytest_llmout.errors import UsageError
from pytest_llmout.lookup import candidates

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pytest_llmout.corpus.importers.importer import Draft, Skipped
    from pytest_llmout.corpus.importers.source import Fields, Peek, Source

COLUMNS = {
    "raw": ("raw", "reply", "response", "completion", "output", "answer", "generation"),
    "prompt": ("prompt", "instruction", "question", "input"),
    "model": ("model", "model_name", "generator"),
    "provider": ("provider",),
    "prompt_id": ("prompt_id", "question_id"),
    "id": ("id",),
    "sample": ("sample",),
    "family": ("family", "category"),
    "configuration": ("configuration",),
    "finish_reason": ("finish_reason", "stop_reason"),
    "time": ("time", "timestamp", "created_at", "date"),
    "licence": ("licence", "license"),
}
"""The fields that a table can hold, and the columns that are taken for them if none is named."""


def detect(peek: Peek) -> bool:
    """Return whether it is a table with a column of replies."""
    table = peek.head.startswith(b"PAR1") or peek.path.name.lower().removesuffix(".gz").endswith((".csv", ".tsv"))
    row = peek.first if table else None
    return isinstance(first(row, *COLUMNS["raw"]), str) and at(row, "generator") is None


def read(source: Source) -> Iterator[Draft | Skipped]:
    """Yield a reply for each row.

    Raises:
        UsageError: A field was given a column, but there is no such field, or the first row lacks the column.
    """
    unknown = [name for name in source.columns if name not in COLUMNS]
    if unknown:
        raise UsageError(f"--column {unknown[0]}: no such field; there is {', '.join(COLUMNS)}")
    row = source.peek().first
    for name, column in source.columns.items() if isinstance(row, dict) else ():
        if column not in row:
            raise UsageError(f"--column {name}={column}: {source.title} has no such column{candidates(column, row)}")
    return source.mapped(partial(_reply, columns={**COLUMNS, **{k: (v,) for k, v in source.columns.items()}}))


def _reply(row: Any, *, columns: Mapping[str, tuple[str, ...]]) -> Iterator[Fields | str]:  # noqa: ANN401  JSON
    cells = {name: first(row, *names) for name, names in columns.items()}
    if cells["raw"] is None:
        yield f"no column {' or '.join(columns['raw'])}"
        return
    sample = word(cells["sample"])
    yield {
        "raw": cells["raw"],
        "messages": messages_of(parsed(cells["prompt"])),
        "model": model_of(cells["model"], provider=cells["provider"]),
        "sample": int(sample) if sample and sample.isdecimal() else None,
        "time": moment(cells["time"]),
        "fidelity": "likely",
    } | {name: word(cells[name]) for name in ("prompt_id", "id", "family", "configuration", "finish_reason", "licence")}
