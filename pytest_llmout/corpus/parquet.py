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

_ROWS = 256
"""Rows that are held as Python objects at a time."""


def row_groups(file: BinaryIO, name: str) -> list[int]:
    """Return how many rows each row group holds.

    Raises:
        UsageError: It is no Parquet file.
    """
    try:
        metadata = ParquetFile(file).metadata
        return [metadata.row_group(number).num_rows for number in range(metadata.num_row_groups)]
    except (ArrowException, OSError) as error:
        raise UsageError(f"{name}: cannot be read: {_first_line(error)}") from error


def read_rows(file: BinaryIO, name: str, groups: list[int]) -> Iterator[dict[str, Any]]:
    """Yield the rows of some row groups as the fields of reply records.

    Raises:
        UsageError: The file is damaged.
    """
    try:
        table = ParquetFile(file, buffer_size=2**20, pre_buffer=False)
        for batch in table.iter_batches(batch_size=_ROWS, row_groups=groups):
            yield from map(_fields, batch.to_pylist())
    except (ArrowException, OSError, ValueError) as error:
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
