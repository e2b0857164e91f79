"""Corpora in blocks of whole lines, each profiled by itself: on this core, on all cores, or elsewhere."""

from __future__ import annotations

from collections import deque
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from typing import TYPE_CHECKING

from pytest_llmout.corpus.store import BadLine, corpus_files, parse_lines
from pytest_llmout.dialect.profile import profile
from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    import pandas as pd

BLOCK = 4 * 2**20
"""Bytes in a block, about 1 500 replies: enough to make a table worth its overhead, few enough to hold many."""

LONGEST_LINE = 64 * 2**20
"""Bytes in a line; a longer one would not leave the memory bounded."""


@dataclass(frozen=True, slots=True)
class Block:
    """Some whole lines of a corpus file."""

    path: Path
    first: int
    """The number of its first line, from 1."""
    data: bytes


def blocks(path: Path, *, size: int = BLOCK) -> Iterator[Block]:
    """Cut a corpus into blocks of about `size` bytes, in the order of its files and lines.

    Raises:
        UsageError: Nothing can be read there, or a line is too long.
    """
    for file in corpus_files(path):
        try:
            yield from _file_blocks(file, size)
        except OSError as error:
            raise UsageError(f"{file}: cannot be read: {error.strerror}") from error


def _file_blocks(path: Path, size: int) -> Iterator[Block]:
    number = 1
    with path.open("rb") as file:
        while data := file.read(size):
            if not data.endswith(b"\n"):
                data += file.readline(LONGEST_LINE)
                if len(data) > LONGEST_LINE and not data.endswith(b"\n"):
                    lines = number + data.count(b"\n")
                    raise UsageError(f"{path}:{lines}: a line of more than {LONGEST_LINE} bytes")
            yield Block(path, number, data)
            number += data.count(b"\n")


def profile_block(block: Block) -> tuple[pd.DataFrame, list[BadLine]]:
    """Profile one block, wherever it is: the rows of its replies, and its lines that are none."""
    bad: list[BadLine] = []
    frame = profile(parse_lines(block.data.split(b"\n"), block.path, first=block.first, on_bad=bad.append))
    return frame, bad


def profile_corpus(
    path: Path,
    *,
    workers: int = 1,
    on_bad: Callable[[BadLine], None],
    on_block: Callable[[int], object] = lambda _size: None,
) -> Iterator[pd.DataFrame]:
    """Profile a corpus block by block; the tables come in its order, whatever the number of workers.

    Args:
        path: A corpus file or folder.
        workers: Processes to spread the blocks over; 1 is this one.
        on_bad: Called with each line that is not a record.
        on_block: Called after each block with the number of its bytes.

    Raises:
        UsageError: Nothing can be read there, or a worker was killed.
    """
    source = blocks(path)
    results = map(_measured, source) if workers == 1 else _spread(source, workers)
    for size, frame, bad in results:
        for line in bad:
            on_bad(line)
        on_block(size)
        if len(frame):
            yield frame


def _measured(block: Block) -> tuple[int, pd.DataFrame, list[BadLine]]:
    frame, bad = profile_block(block)
    return len(block.data), frame, bad


def _spread(source: Iterable[Block], workers: int) -> Iterator[tuple[int, pd.DataFrame, list[BadLine]]]:
    # Blocks are handed out as results are taken, so that neither pile up; `Executor.map` would read the whole corpus.
    waiting = iter(source)
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        under_way = deque(pool.submit(_measured, block) for block in islice(waiting, 2 * workers))
        try:
            while under_way:
                result = under_way.popleft().result()
                under_way.extend(pool.submit(_measured, block) for block in islice(waiting, 1))
                yield result
        except BrokenProcessPool:
            raise UsageError("a worker was killed, perhaps for want of memory: try fewer --workers") from None
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
