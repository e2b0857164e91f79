"""Corpora on this machine, profiled part by part: on this core or on all cores."""

from __future__ import annotations

from collections import deque
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from functools import partial
from itertools import islice
from multiprocessing import get_context
from typing import TYPE_CHECKING

from pytest_llmout.corpus.store import BadLine, corpus_files
from pytest_llmout.dialect.parts import BLOCK, BadLinePlaces, Measured, Part, cut, measure_part
from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    import pandas as pd

_SHARES = 8
"""Parts for each worker, at least: one that is done early finds another to do."""


def parts(path: Path, *, size: int = BLOCK) -> Iterator[Part]:
    """Cut a corpus into parts of about `size` bytes, in the order of its files and lines.

    Raises:
        UsageError: Nothing can be read there.
    """
    for file in corpus_files(path):
        try:
            with file.open("rb") as opened:
                yield from cut(file, opened, file.stat().st_size, size=size)
        except OSError as error:
            raise UsageError(f"{file}: cannot be read: {error.strerror}") from error


def profile_corpus(  # noqa: PLR0913  each has a default
    path: Path,
    *,
    workers: int = 1,
    size: int = BLOCK,
    reduce: Callable[[pd.DataFrame], pd.DataFrame] | None = None,
    on_bad: Callable[[BadLine], None],
    on_part: Callable[[int], object] = lambda _size: None,
) -> Iterator[pd.DataFrame]:
    """Profile a corpus part by part; the tables come in its order, whatever the number of workers.

    Args:
        path: A corpus file or folder.
        workers: Processes to spread the parts over; 1 is this one.
        size: How many bytes a part has.
        reduce: Makes of the rows of a part, where they are, what is to be returned instead.
        on_bad: Called with each line that is not a record.
        on_part: Called after each part with the number of its bytes.

    Raises:
        UsageError: Nothing can be read there, or a worker was killed.
    """
    places = BadLinePlaces()
    work = partial(_measured, reduce=reduce)
    source = parts(path, size=size)
    for measured in map(work, source) if workers == 1 else _spread(work, source, workers):
        for line in places.place(measured):
            on_bad(line)
        on_part(measured.part.size)
        if len(measured.table):
            yield measured.table


def part_size(total: int, workers: int) -> int:
    """Return how large parts should be, so that workers have enough of them and each is worth its overhead."""
    return min(BLOCK, max(total // (workers * _SHARES), BLOCK // 16))


def _measured(part: Part, *, reduce: Callable[[pd.DataFrame], pd.DataFrame] | None) -> Measured:
    try:
        with open(part.file, "rb") as file:  # noqa: PTH123  a path here, though elsewhere an URL
            measured = measure_part(part, file)
    except OSError as error:
        raise UsageError(f"{part.file}: cannot be read: {error.strerror}") from error
    return replace(measured, table=reduce(measured.table)) if reduce else measured


def _spread(work: Callable[[Part], Measured], source: Iterable[Part], workers: int) -> Iterator[Measured]:
    # Parts are handed out as results are taken, so that neither pile up; `Executor.map` would plan the whole corpus.
    waiting = iter(source)
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        under_way = deque(pool.submit(work, part) for part in islice(waiting, 2 * workers))
        try:
            while under_way:
                result = under_way.popleft().result()
                under_way.extend(pool.submit(work, part) for part in islice(waiting, 1))
                yield result
        except BrokenProcessPool:
            raise UsageError("a worker was killed, perhaps for want of memory: try fewer --workers") from None
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
