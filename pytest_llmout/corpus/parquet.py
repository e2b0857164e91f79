"""Reply records as the rows of a Parquet file, apart from the rest since only the extra `scale` can read it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from pyarrow import ArrowException
from pyarrow.parquet import ParquetFile

from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from pyarrow import RecordBatch

ERRORS = (ArrowException, OSError)
"""What is raised for a file that is damaged or no Parquet."""

_ROWS = 256
_BYTES = 2**24
"""How much is held at a time: so many rows, or about so many bytes."""


def batches(file: BinaryIO, groups: list[int] | None = None) -> Iterator[RecordBatch]:
    """Yield the rows of some row groups (default: all) in pieces that fit into little memory."""
    table = ParquetFile(file, buffer_size=2**20, pre_buffer=False)
    for group in range(table.num_row_groups) if groups is None else groups:
        known = table.metadata.row_group(group)
        rows = max(1, min(_ROWS, _BYTES * known.num_rows // max(known.total_byte_size, 1)))
        yield from table.iter_batches(batch_size=rows, row_groups=[group])


def row_groups(file: BinaryIO, name: str) -> list[int]:
    """Return how many rows each row group holds.

    Raises:
        UsageError: It is no Parquet file.
    """
    try:
        metadata = ParquetFile(file).metadata
        return [metadata.row_group(number).num_rows for number in range(metadata.num_row_groups)]
    except ERRORS as error:
        raise UsageError(f"{name}: cannot be read: {_first_line(error)}") from error


def read_rows(file: BinaryIO, name: str, groups: list[int]) -> Iterator[dict[str, Any]]:
    """Yield the rows of some row groups as the fields of reply records.

    Raises:
        UsageError: The file is damaged.
    """
    try:
        for batch in batches(file, groups):
            yield from map(_fields, batch.to_pylist())
    except (*ERRORS, ValueError) as error:
        raise UsageError(f"{name}: cannot be read to its end: {_first_line(error)}") from error


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0]


def _fields(value: Any) -> Any:  # noqa: ANN401  JSON
    # A column has every field in every row; what a record leaves out is null there. A time without an offset is UTC.
    match value:
        case dict():
            return {key: _fields(part) for key, part in value.items() if part is not None}
        case list():
            return [_fields(part) for part in value]
        case datetime() if value.tzinfo is None:
            return value.replace(tzinfo=UTC)
        case _:
            return value
