"""Tables as Parquet, apart from the other formats since only the extra `scale` can write it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyarrow import Table
from pyarrow.parquet import ParquetWriter

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    import pandas as pd


def write_parquet(frames: Iterable[pd.DataFrame], part: Path) -> Iterator[pd.DataFrame]:
    """Pass tables on while writing each as a row group of one file."""
    writer = None
    try:
        for frame in frames:
            table = Table.from_pandas(frame, preserve_index=False)
            writer = writer or ParquetWriter(part, table.schema)
            writer.write_table(table)
            yield frame
    finally:
        if writer:
            writer.close()
