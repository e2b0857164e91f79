"""What the plugin gathers over a run, on the workers of pytest-xdist too: replies, repeats, unused recordings."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from pytest_llmout.errors import UsageError
from pytest_llmout.harness.places import FOLDER, recordings_without_module, recordings_without_test

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    Wires = Sequence[Mapping[str, Any]]
    Summarise = Callable[[Wires], Iterable[str]]
    Write = Callable[[Path, Wires], None]


@dataclass(slots=True)
class Gathered:
    """The state of a run, in `config.stash[GATHERED]`."""

    replies: list[dict[str, Any]] = field(default_factory=list)
    """What was asked, as `Asked.to_wire` sends it."""
    repeats: list[str] = field(default_factory=list)
    """A line for each repeated test."""
    unused: set[str] = field(default_factory=set)
    """Recordings that no test used."""
    tests: defaultdict[Path, set[str]] = field(default_factory=lambda: defaultdict(set))
    """The collected tests of each module that has recordings, deselected ones included."""


GATHERED = pytest.StashKey[Gathered]()
REPEATED = pytest.StashKey[list[str]]()
"""A line for the summary, left by a repeated test."""


def test_name(item: pytest.Item) -> str:
    """Return the names of classes, test and parameters, joined by dots."""
    chain = item.listchain()
    start = max((index for index, node in enumerate(chain) if isinstance(node, pytest.Module)), default=-1)
    return ".".join(node.name for node in chain[start + 1 :])


def shown_path(path: Path, config: pytest.Config) -> str:
    """Return a path as a node id has it: relative to the root folder if it is below it."""
    return path.relative_to(config.rootpath).as_posix() if path.is_relative_to(config.rootpath) else str(path)


class SessionPlugin:
    """The hooks that gather; one is registered for each run.

    Args:
        config: Whose stash holds what is gathered.
        summarise: Turns the replies, as `Asked.to_wire` sends them, into lines for the terminal.
        write: Writes them to a report. Both are handed in because what they import is slow to load.
    """

    def __init__(self, config: pytest.Config, summarise: Summarise, write: Write) -> None:
        self._config = config
        self._summarise = summarise
        self._write = write
        self._problems: list[str] = []
        self._gathered = config.stash[GATHERED] = Gathered()

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Remember what was collected before anything is deselected."""
        folders = {item.path.parent for item in items}
        recorded = {folder for folder in folders if (folder / FOLDER).is_dir()}
        for item in items:
            if item.path.parent in recorded:
                self._gathered.tests[item.path].add(test_name(item))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Take what a test left in its report."""
        left: dict[str, Any] = getattr(report, "llmout", {})
        self._gathered.replies += left.get("replies", [])
        self._gathered.repeats += left.get("repeats", [])
        self._gathered.unused.update(left.get("unused", []))

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:  # noqa: ANN401  a type of pytest-xdist, which may be absent
        """Take what a worker found."""
        self._gathered.unused.update(getattr(node, "workeroutput", {}).get("llmout_unused", []))

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Look for orphans, fail a strict run that has unused recordings, write the reports."""
        self._gathered.unused.update(self._orphans())
        if hasattr(self._config, "workeroutput"):
            self._config.workeroutput["llmout_unused"] = sorted(self._gathered.unused)
            return
        if (
            self._gathered.unused
            and self._config.getoption("llmout_strict")
            and session.exitstatus == pytest.ExitCode.OK
        ):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        for name in self._config.getoption("llmout_report"):
            try:
                self._write(self._config.invocation_params.dir / name, self._gathered.replies)
            except UsageError as error:
                self._problems.append(str(error))
                session.exitstatus = session.exitstatus or pytest.ExitCode.USAGE_ERROR

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say in a few lines what was asked and what is unused."""
        lines = list(self._lines())
        if lines:
            terminalreporter.write_sep("=", "language-model replies")
        for line in lines:
            terminalreporter.write_line(line)

    def _lines(self) -> Iterator[str]:
        if self._gathered.replies:
            yield from self._summarise(self._gathered.replies)
        yield from self._problems
        yield from sorted(self._gathered.repeats)
        for name in sorted(self._gathered.unused):
            yield f"unused recording: {name}"
        if self._gathered.unused:
            yield "next: delete what no test needs; --llmout-record-mode rewrite drops it from the tests it records"

    def _orphans(self) -> Iterator[str]:
        if self._collection_was_narrowed():
            return
        for module, tests in self._gathered.tests.items():
            for path in recordings_without_test(module, tests):
                yield f"{shown_path(path, self._config)} (no such test)"
        for folder in {module.parent for module in self._gathered.tests}:
            for path in recordings_without_module(folder):
                yield f"{shown_path(path, self._config)} (no such module)"

    def _collection_was_narrowed(self) -> bool:
        """Tell whether tests may be missing that a plain run of their module would collect."""
        return any("::" in argument for argument in self._config.args) or bool(
            self._config.getoption("lf", default=False)
        )
