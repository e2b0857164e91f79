"""How the time of a call grows with the length of a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_llmout.conformance.case import Problem, shown

if TYPE_CHECKING:
    from collections.abc import Callable

_FEW = range(2, 42, 2)
_LONGEST = 200_000
_ENOUGH_SECONDS, _FAR_TOO_LONG_SECONDS = 0.01, 1.0
_TIMES_THE_TEXT, _SUSPICIOUS, _TIMES_THE_TIME = 5, 7.0, 12.0
_REPEATS = 3


def superlinear(call: Callable[[str], object], unit: str, clock: Callable[[], float]) -> Problem | None:
    """Repeat a unit until it takes a measurable time, and then that many times again."""

    def seconds(text: str) -> float:
        start = clock()
        call(text)
        return clock() - start

    # Exponential time is found before it becomes an endless wait.
    for count in _FEW:
        if (taken := seconds(unit * count)) > _FAR_TOO_LONG_SECONDS:
            return Problem(f"little time for {count} × {shown(unit)}", f"{taken:.1f} s")
    count = _FEW.stop
    while seconds(unit * count) < _ENOUGH_SECONDS:
        count *= 2
        if count * len(unit) > _LONGEST:
            return None
    confirmed = 0
    while confirmed < _REPEATS:  # a machine that was busy once is not busy each time
        ratio = seconds(unit * count * _TIMES_THE_TEXT) / seconds(unit * count)
        if ratio > _TIMES_THE_TIME:
            confirmed += 1
        elif ratio < _SUSPICIOUS or count * len(unit) > _LONGEST:
            return None
        else:  # what is quadratic may still hide behind what is linear
            count *= 2
    return Problem(
        f"about {_TIMES_THE_TEXT} times the time for {_TIMES_THE_TEXT} times the text, {count} × {shown(unit)}",
        f"{ratio:.0f} times the time",
    )
