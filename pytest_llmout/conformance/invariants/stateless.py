"""A result depends on its text alone: not on what was asked before, nor on what other threads ask."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from threading import Event, Thread
from time import monotonic
from typing import TYPE_CHECKING

from pytest_llmout.conformance.case import Case, Problem, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_llmout.conformance.case import Subject

PROBE = "*a*"
"""What is asked after each text, and first of all."""
TOGETHER = ("b *c* d\n" * 40, "*e* " * 60)
"""Texts that two threads ask for at the same time."""

_SECONDS_TOGETHER = 1.0
_SWITCH_SECONDS = 1e-5


def check(case: Case) -> Problem | None:
    """Ask again after the texts that came before, after a fixed one, and in other threads."""
    if not case.is_short:
        return None
    asked = [*case.subject.earlier.items(), (PROBE, case.subject.probe(PROBE)), (case.raw, case.got)]
    for raw, first in asked:
        again = case.subject.call(raw)
        if isinstance(first, str) and again != first:
            return Problem(f"{shown(first)} for {shown(raw)} again", shown(again))
    return _elsewhere(case) or (_together(case) if case.raw in TOGETHER else None)


def _elsewhere(case: Case) -> Problem | None:
    got: list[object] = []
    thread = Thread(target=lambda: got.append(case.subject.call(case.raw)))
    thread.start()
    thread.join()
    return None if got == [case.got] else Problem(f"{shown(case.got)} in another thread", shown(got[0]))


def _together(case: Case) -> Problem | None:
    alone = [case.subject.call(text) for text in TOGETHER]
    found = Event()
    with _hasty_threads(), ThreadPoolExecutor(len(TOGETHER)) as threads:
        problems = threads.map(partial(_repeatedly, case.subject, found), TOGETHER, alone)
        return next(filter(None, problems), None)


def _repeatedly(subject: Subject, found: Event, raw: str, alone: object) -> Problem | None:
    end = monotonic() + _SECONDS_TOGETHER
    while monotonic() < end and not found.is_set():
        now = subject.call(raw)
        if now != alone:
            found.set()
            return Problem(f"{shown(alone)} for {shown(raw)} while another thread asks", shown(now))
    return None


@contextmanager
def _hasty_threads() -> Iterator[None]:
    """Let threads take turns as often as it goes, so that they meet in the middle of a call."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH_SECONDS)
    try:
        yield
    finally:
        sys.setswitchinterval(before)
