"""The time grows with the length of the text, not with its square."""

from __future__ import annotations

from pytest_llmout.conformance.case import Case, Problem, shown

UNITS = (
    "*a ", "*a* ", "*a**b* ", "**a *", "***", "a*", "_a ", "*a _b ", "[", "![", "[*a](", "> ", "`", "*a`", "<!--",
    "<a *", "\\*", "&", "$", "~~a ", "| *a ", "*a*\n", "- *a*\n", "https://a.b/*",
)  # fmt: skip
"""What is repeated; the parsers of many languages need quadratic time for one or another of these."""

_FEW = range(2, 42, 2)
_LONGEST = 200_000
_ENOUGH_SECONDS, _FAR_TOO_LONG_SECONDS = 0.03, 1.0
_TIMES_THE_TEXT, _TIMES_THE_TIME = 5, 12.0
_REPEATS = 3


def check(case: Case) -> Problem | None:
    """Repeat a unit until it takes a measurable time; other texts are not looked at."""
    return _superlinear(case, case.raw) if case.raw in UNITS else None


def _superlinear(case: Case, unit: str) -> Problem | None:
    # Exponential time is found before it becomes an endless wait.
    for count in _FEW:
        if (seconds := _seconds(case, unit * count)) > _FAR_TOO_LONG_SECONDS:
            return Problem(f"little time for {count} × {shown(unit)}", f"{seconds:.1f} s")
    count = _FEW.stop
    while _seconds(case, unit * count) < _ENOUGH_SECONDS:
        count *= 2
        if count * len(unit) > _LONGEST:
            return None
    for _ in range(_REPEATS):  # a machine that was busy once is not busy each time
        ratio = _ratio(case, unit, count)
        if ratio <= _TIMES_THE_TIME:
            return None
    return Problem(
        f"about {_TIMES_THE_TEXT} times the time for {_TIMES_THE_TEXT} times the text, {count} × {shown(unit)}",
        f"{ratio:.0f} times the time",
    )


def _ratio(case: Case, unit: str, count: int) -> float:
    return _seconds(case, unit * count * _TIMES_THE_TEXT) / _seconds(case, unit * count)


def _seconds(case: Case, text: str) -> float:
    """Measure in the clock of the subject, which does not run while other programs do."""
    start = case.subject.clock()
    case.subject.call(text)
    return case.subject.clock() - start
