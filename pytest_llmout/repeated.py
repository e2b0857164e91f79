"""Tests that are run several times under one setup."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_llmout.errors import UsageError
from pytest_llmout.harness.repeat import FailedRun, failure_text, verdict
from pytest_llmout.harness.visible import printable
from pytest_llmout.session import REPEATED

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Rejections = Callable[[pytest.Item], list[str]]

_EXAMPLE_LINES = 30


def repeat(item: pytest.Item, rejections: Rejections) -> None:
    """Make a test run as often as its marker `llmout` says, or else `--llmout-repeat`.

    Args:
        item: The test.
        rejections: Tells why each reply that a test got so far was rejected; an empty text if it was not.

    Raises:
        UsageError: The marker or an option holds something else than a count and a share.
    """
    runs, min_pass_rate = _settings(item.config, item.get_closest_marker("llmout"))
    if runs > 1:
        item.runtest = partial(_run, item, item.runtest, runs, min_pass_rate, rejections)  # type: ignore[method-assign]  # what reruns a test without its setup


def _settings(config: pytest.Config, marker: pytest.Mark | None) -> tuple[int, float]:
    settings = {"repeat": config.getoption("llmout_repeat"), "min_pass_rate": config.getoption("llmout_min_pass_rate")}
    if marker is not None:
        if marker.args or not marker.kwargs.keys() <= settings.keys():
            given = ", ".join([*map(repr, marker.args), *marker.kwargs])
            raise UsageError(f"the marker llmout takes repeat and min_pass_rate by name, not {given}")
        settings |= marker.kwargs
    if not isinstance(settings["repeat"], int) or settings["repeat"] < 1:
        raise UsageError(f"repeat={settings['repeat']!r}: give a whole number from 1")
    if not isinstance(settings["min_pass_rate"], int | float) or not 0 <= settings["min_pass_rate"] <= 1:
        raise UsageError(f"min_pass_rate={settings['min_pass_rate']!r}: give a share from 0 to 1")
    return settings["repeat"], settings["min_pass_rate"]


def _run(
    item: pytest.Item, runtest: Callable[[], None], runs: int, min_pass_rate: float, rejections: Rejections
) -> None:
    """Run a test again and again; an error that is no failed assertion ends it at once."""
    failed: list[FailedRun] = []
    for number in range(1, runs + 1):
        before = len(rejections(item))
        try:
            runtest()
        except (AssertionError, pytest.fail.Exception) as error:
            rejected = [why for why in rejections(item)[before:] if why]
            failed.append(_failed_run(number, item, error, rejected))
    passes, line = verdict(runs, failed, min_pass_rate)
    item.stash[REPEATED] = [f"{item.nodeid}: {line}"]
    if not passes:
        pytest.fail(failure_text(line, failed), pytrace=False)


def _failed_run(number: int, item: pytest.Item, error: BaseException, rejected: Sequence[str]) -> FailedRun:
    caught = pytest.ExceptionInfo.from_exception(error)
    lines = printable(caught.exconly()).split("\n")  # a worker cannot send a lone surrogate
    message = "\n".join([*lines[:_EXAMPLE_LINES], *(["…"] if len(lines) > _EXAMPLE_LINES else [])])
    own = [entry for entry in caught.traceback if Path(entry.path) == item.path]
    place = f"{caught.typename} at {item.path.name}:{own[-1].lineno + 1}" if own else caught.typename
    return FailedRun(number, rejected[-1] if rejected else place, message)
