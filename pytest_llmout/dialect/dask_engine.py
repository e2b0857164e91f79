"""Profiling on a Dask cluster: the parts of a corpus go to the workers, counts of them come back."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import fsspec
import pyarrow.parquet as pq
from distributed import Client, KilledWorker, LocalCluster, as_completed
from fsspec.utils import read_block
from pydantic import ValidationError
from tqdm import tqdm

from pytest_llmout.corpus.problems import dotted, first_problem
from pytest_llmout.corpus.record import ReplyRecord
from pytest_llmout.corpus.store import BadLine
from pytest_llmout.dialect.partitions import BLOCK, Block, profile_block
from pytest_llmout.dialect.profile import profile
from pytest_llmout.dialect.summary import count_features, summarise_counts
from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import pandas as pd

_TIMEOUT = 10.0
"""Seconds to wait for a scheduler."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """Where the work is done."""

    scheduler: str | None = None
    """The address of a running cluster; without one, processes of this machine are started."""
    workers: int = 1
    """How many processes to start."""
    block: int = BLOCK
    """Bytes of JSONL that one task reads."""


@dataclass(frozen=True, slots=True)
class Part:
    """What one task profiles: some bytes of a JSONL file, or a row group of a Parquet file."""

    number: int
    """Its place in the corpus, which names the file of its rows."""
    url: str
    start: int
    size: int


def profile_on_dask(
    corpus: str,
    output: str | None = None,
    *,
    cluster: Cluster,
    by: Sequence[str],
    on_bad: Callable[[BadLine], None],
) -> pd.DataFrame:
    """Profile a corpus that all workers can read, and summarise it as `summarise` does.

    Args:
        corpus: A path, a glob or an URL of JSONL or Parquet files of reply records.
        output: A folder or an URL for the rows, as Parquet files whose names are in the order of the corpus.
        cluster: Where to do it; what a worker that dies was doing is done again by another.
        by: The keys of the groups.
        on_bad: Called with each entry that is no record; of JSONL, lines are counted from the start of a part.

    Raises:
        UsageError: There is nothing to read, the output exists, or the cluster cannot be reached or gave up.
    """
    try:
        parts = list(_parts(corpus, cluster.block))
    except FileNotFoundError:
        raise UsageError(f"{corpus}: no such file") from None
    if not parts:
        raise UsageError(f"{corpus}: no replies there")
    _make_folder(output)
    with _client(cluster) as client, tqdm(total=len(parts), unit="part", disable=None) as bar:
        futures = client.map(profile_part, parts, output=output, by=tuple(by), pure=False)
        return summarise_counts(_gathered(futures, bar, on_bad), by=by)


def profile_part(part: Part, *, output: str | None, by: tuple[str, ...]) -> tuple[pd.DataFrame, list[BadLine]]:
    """Profile one part on a worker, write its rows and return its counts; doing it twice is doing it once."""
    frame, bad = _frame(part)
    if output is not None:
        with fsspec.open(f"{output.rstrip('/')}/part-{part.number:06}.parquet", "wb") as file:
            frame.to_parquet(file, index=False)
    return count_features(frame, by), bad


def _frame(part: Part) -> tuple[pd.DataFrame, list[BadLine]]:
    with fsspec.open(part.url, "rb") as file:
        if part.url.endswith(".parquet"):
            return _row_group(part, file)
        data: bytes = read_block(file, part.start, part.size, b"\n")
    return profile_block(Block(Path(f"{part.url}@{part.start}"), 1, data))


def _row_group(part: Part, file: Any) -> tuple[pd.DataFrame, list[BadLine]]:  # noqa: ANN401  fsspec leaves it untyped
    bad: list[BadLine] = []
    rows = pq.ParquetFile(file).read_row_group(part.start).to_pylist()
    return profile(_records(rows, part, bad)), bad


def _records(rows: list[dict[str, Any]], part: Part, bad: list[BadLine]) -> Iterator[ReplyRecord]:
    for number, row in enumerate(rows, start=1):
        try:
            yield ReplyRecord.model_validate(_without_nulls(row))
        except ValidationError as error:
            where, what = first_problem(error)
            why = ": ".join(["not a reply record", *dotted(where), what])
            bad.append(BadLine(Path(f"{part.url}@{part.start}"), number, why))


def _without_nulls(value: Any) -> Any:  # noqa: ANN401  JSON
    # A column of Parquet has every field in every row; what a record leaves out is null there.
    match value:
        case dict():
            return {key: _without_nulls(part) for key, part in value.items() if part is not None}
        case list():
            return [_without_nulls(part) for part in value]
        case _:
            return value


def _parts(corpus: str, block: int) -> Iterator[Part]:
    numbers = count()
    for file in fsspec.open_files(corpus if corpus.endswith((".jsonl", ".parquet")) else f"{corpus.rstrip('/')}/**"):
        url = file.full_name
        if url.endswith(".parquet"):
            with file as opened:
                groups = pq.ParquetFile(opened).num_row_groups
            yield from (Part(next(numbers), url, group, 1) for group in range(groups))
        elif url.endswith(".jsonl"):
            size = file.fs.size(file.path)
            yield from (Part(next(numbers), url, start, block) for start in range(0, size, block))


def _make_folder(output: str | None) -> None:
    if output is None:
        return
    if not output.endswith(".parquet"):
        raise UsageError(f"{output}: --engine dask writes a folder of Parquet files: use a name that ends in .parquet")
    files, path = fsspec.url_to_fs(output)
    if files.exists(path) and files.ls(path):
        raise UsageError(f"{output}: exists and is not empty")
    files.makedirs(path, exist_ok=True)


@contextmanager
def _client(cluster: Cluster) -> Iterator[Client]:
    try:
        if cluster.scheduler:
            with Client(cluster.scheduler, timeout=_TIMEOUT) as client:  # type: ignore[no-untyped-call]  # Dask's
                yield client
        else:
            with (
                LocalCluster(  # type: ignore[no-untyped-call]  # likewise
                    n_workers=cluster.workers, threads_per_worker=1, dashboard_address=None
                ) as local,
                Client(local) as client,  # type: ignore[no-untyped-call]  # likewise
            ):
                yield client
    except (OSError, TimeoutError) as error:
        raise UsageError(f"{cluster.scheduler or 'the local cluster'}: cannot be reached: {error}") from error
    except KilledWorker as error:
        raise UsageError(f"a part failed on several workers, perhaps for want of memory: {error}") from error


def _gathered(futures: list[Any], bar: tqdm[Any], on_bad: Callable[[BadLine], None]) -> Iterator[pd.DataFrame]:
    for future in as_completed(futures):  # type: ignore[no-untyped-call]  # Dask's
        counts, bad = future.result()
        future.release()
        for line in bad:
            on_bad(line)
        bar.update()
        yield counts
