"""Profiling on a Dask cluster: the parts of a corpus go to the workers, counts of them come back."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import fsspec
from distributed import Client, KilledWorker, LocalCluster, as_completed
from tqdm import tqdm

from pytest_llmout.corpus.store import SUFFIXES, BadLine
from pytest_llmout.dialect.counting import count_features
from pytest_llmout.dialect.parts import BLOCK, BadLinePlaces, Measured, Part, cut, measure_part
from pytest_llmout.dialect.summary import summarise_counts
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
        on_bad: Called with each entry that is no record.

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
        numbers = range(len(parts))
        futures = client.map(profile_part, parts, numbers, output=output, by=tuple(by), pure=False)
        return summarise_counts(_gathered(futures, bar, on_bad), by=by)


def profile_part(part: Part, number: int, *, output: str | None, by: tuple[str, ...]) -> Measured:
    """Profile one part on a worker, write its rows and return its counts; doing it twice is doing it once."""
    with fsspec.open(part.file, "rb") as file:
        measured = measure_part(part, file)
    if output is not None:
        with fsspec.open(f"{output.rstrip('/')}/part-{number:06}.parquet", "wb") as file:
            measured.table.to_parquet(file, index=False)
    return replace(measured, table=count_features(measured.table, by))


def _parts(corpus: str, block: int) -> Iterator[Part]:
    for file in fsspec.open_files(corpus if corpus.endswith(SUFFIXES) else f"{corpus.rstrip('/')}/**"):
        if file.path.endswith(SUFFIXES):
            with file as opened:
                yield from cut(file.full_name, opened, file.fs.size(file.path), size=block)


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
    # Parts are done in any order; their lines are counted in that of the corpus.
    places, next_one = BadLinePlaces(), 0
    waiting: dict[int, Measured] = {}
    numbers = {future: number for number, future in enumerate(futures)}
    for future in as_completed(futures):  # type: ignore[no-untyped-call]  # Dask's
        measured = future.result()
        future.release()
        waiting[numbers.pop(future)] = replace(measured, table=measured.table.iloc[:0])
        while next_one in waiting:
            for line in places.place(waiting.pop(next_one)):
                on_bad(replace(line, path=str(line.path).removeprefix("file://")))
            next_one += 1
        bar.update()
        yield measured.table
