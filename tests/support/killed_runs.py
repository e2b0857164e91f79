"""Killing a process that appends to a run record."""

from __future__ import annotations

import multiprocessing
import random
import time
from itertools import count
from typing import TYPE_CHECKING

from pytest_llmout.boundary.run_record import RunRecord, read_events

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from pathlib import Path

_CONTEXT = multiprocessing.get_context("spawn")
_PADDING = "x" * 300_000


def append_forever(path: Path, start: int, acknowledgements: Connection) -> None:
    """Append numbered events, and send the number of each that is said to be on disk; a process starts here."""
    with RunRecord(path, redact=str) as run:
        for number in count(start):
            run.append({"n": number, "padding": _PADDING[: 1 + number * 7919 % len(_PADDING)]})
            acknowledgements.send(number)


def survive_kills(path: Path, kills: int, seed: int = 7) -> int:
    """Kill a writer again and again; return how many kills left an unfinished event to repair.

    After each kill, every acknowledged event must be there, at most one more, and all in order.
    """
    source = random.Random(seed)  # noqa: S311  when to kill, not a secret
    start = repairs = 0
    for _ in range(kills):
        acknowledged = _last_before_kill(path, start, source)
        with RunRecord(path) as run:
            repairs += run.repaired is not None
        numbers = [event["n"] for event in read_events(path)]
        assert numbers == list(range(len(numbers)))
        assert acknowledged + 1 <= len(numbers) <= acknowledged + 2
        start = len(numbers)
        if start > 100:
            path.unlink()
            start = 0
    return repairs


def _last_before_kill(path: Path, start: int, source: random.Random) -> int:
    receiver, sender = _CONTEXT.Pipe(duplex=False)
    process = _CONTEXT.Process(target=append_forever, args=(path, start, sender))
    process.start()
    sender.close()
    acknowledged = start - 1
    for _ in range(source.randint(1, 12)):
        acknowledged = receiver.recv()
    time.sleep(source.random() * 0.004)
    process.kill()
    process.join()
    try:
        while True:
            acknowledged = receiver.recv()
    except (EOFError, OSError):
        return acknowledged
