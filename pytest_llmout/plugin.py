"""The pytest plugin: options, markers and fixtures; what they do stands elsewhere.

What needs more than pytest is imported by the hook or fixture that needs it, so that a suite that uses none of them
starts as fast as without the plugin.
"""

from __future__ import annotations

from argparse import ArgumentTypeError
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_llmout import hookspecs
from pytest_llmout.errors import UsageError
from pytest_llmout.harness.places import recording_path
from pytest_llmout.harness.record_mode import RecordMode
from pytest_llmout.session import REPEATED, SessionPlugin, shown_path, test_name

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Mapping, Sequence

    from syrupy.assertion import SnapshotAssertion

    from pytest_llmout.contract import Failure, Ok
    from pytest_llmout.corpus.record import ReplyRecord
    from pytest_llmout.harness.facade import LlmOut

_REPORT_SUFFIXES = (".csv", ".html", ".json", ".jsonl", ".md", ".xml")
_FACADE = pytest.StashKey["LlmOut"]()
_PASSED = pytest.StashKey[bool]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options."""
    group = parser.getgroup("llmout", "replies of language models")
    group.addoption(
        "--llmout-record-mode",
        choices=[mode.value for mode in RecordMode],
        default=RecordMode.NONE.value,
        help="replay recorded replies and never ask a model (none, the default); ask for a test without recording "
        "(once), for what is not recorded (new_episodes), for everything (all), or for everything, dropping the rest "
        "of the recording (rewrite)",
    )
    group.addoption(
        "--llmout-model", metavar="SPEC", help="the model to ask: llm:NAME (the llm library) or module:callable"
    )
    group.addoption("--llmout-strict", action="store_true", help="fail a run that leaves recordings unused")
    group.addoption(
        "--llmout-repeat",
        type=_count,
        default=1,
        metavar="N",
        help="run each test that uses llmout N times (default 1)",
    )
    group.addoption(
        "--llmout-min-pass-rate",
        type=_share,
        default=1.0,
        metavar="P",
        help="share of the repetitions that have to pass, from 0 to 1 (default 1)",
    )
    group.addoption(
        "--llmout-report",
        action="append",
        default=[],
        metavar="PATH",
        help=f"write the replies of the session to PATH, in the format of its suffix ({' '.join(_REPORT_SUFFIXES)}); "
        "may be given several times",
    )


def _count(text: str) -> int:
    """Read an option that counts."""
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text!r}: give a whole number from 1")
    return int(text)


def _share(text: str) -> float:
    """Read an option that is a share."""
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise ArgumentTypeError(f"{text!r}: give a share from 0 to 1")
    return share


def pytest_addhooks(pluginmanager: pytest.PytestPluginManager) -> None:
    """Declare the hooks that this plugin asks."""
    pluginmanager.add_hookspecs(hookspecs)


def pytest_configure(config: pytest.Config) -> None:
    """Declare the markers, check the options, begin to gather."""
    config.addinivalue_line(
        "markers", "llmout(repeat=1, min_pass_rate=1.0): run the test several times; a share of the runs has to pass"
    )
    config.addinivalue_line(
        "markers",
        "llm_corpus(path=None, model=None, family=None, limit=None): run the test on each reply of a corpus, "
        "as the fixture llm_reply; the corpus that ships with pytest-llmout if no path is given",
    )
    for name in config.getoption("llmout_report"):
        if Path(name).suffix not in _REPORT_SUFFIXES:
            raise pytest.UsageError(f"--llmout-report {name}: the suffix must be one of {' '.join(_REPORT_SUFFIXES)}")
    config.pluginmanager.register(SessionPlugin(config, _summarise, _write_report), "llmout-session")


def pytest_report_header(config: pytest.Config) -> str | None:
    """Say so where a model is named and not asked, or asked at all."""
    mode, model = config.getoption("llmout_record_mode"), config.getoption("llmout_model")
    if mode == RecordMode.NONE and model is None:
        return None
    return f"llmout: record mode {mode}" + (f", {model} is not asked" if mode == RecordMode.NONE else "")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that is marked `llm_corpus` on each reply."""
    marker = metafunc.definition.get_closest_marker("llm_corpus")
    if marker is None or "llm_reply" not in metafunc.fixturenames:
        return
    from pytest_llmout.harness.corpus_replies import marked_replies

    try:
        replies = marked_replies(marker.args, marker.kwargs, metafunc.definition.path.parent)
    except UsageError as error:
        raise pytest.Collector.CollectError(f"{metafunc.definition.nodeid}: llm_corpus: {error}") from error
    metafunc.parametrize("llm_reply", replies, ids=[reply.id for reply in replies], indirect=True)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Arrange for the repetitions of a test."""
    if item.get_closest_marker("llmout") or "llmout" in getattr(item, "fixturenames", ()):
        from pytest_llmout.repeated import repeat

        repeat(item, _rejections)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Leave in the report of a test what it asked, and what of its recording it did not use."""
    report = yield
    if call.when == "call":
        item.stash[_PASSED] = report.passed
    if call.when == "teardown" and (left := _left_by(item)):
        report.__dict__["llmout"] = left  # what a report holds beside its own fields, pytest-xdist sends along
    return report


@pytest.fixture
def llmout_model(request: pytest.FixtureRequest) -> object:
    """The model to ask, to be overridden: a callable, an `AskableModel`, or a name as `--llmout-model` takes it.

    It is only looked up when a model has to be asked, so it may need a network or a key that a replay does without.
    """
    return request.config.getoption("llmout_model")


@pytest.fixture(scope="session")
def llmout_redact(pytestconfig: pytest.Config) -> Callable[[str], str]:
    """The function that takes secrets out of every text before it is written, to be overridden.

    It finds common credentials by their form, then asks the functions of the hook `pytest_llmout_redact`.
    """
    from pytest_llmout.boundary.redaction import redact

    functions = [redact, *pytestconfig.hook.pytest_llmout_redact(config=pytestconfig)]
    return lambda text: reduce(lambda redacted, function: function(redacted), functions, text)


@pytest.fixture
def llmout(request: pytest.FixtureRequest, llmout_redact: Callable[[str], str]) -> Generator[LlmOut, None, None]:
    """Asks a model, or replays what it answered when the test was recorded: `llmout.ask(prompt, output=…)`."""
    from pytest_llmout.harness.facade import LlmOut
    from pytest_llmout.harness.recording import Recording

    item: pytest.Item = request.node
    mode = RecordMode(request.config.getoption("llmout_record_mode"))
    facade = item.stash[_FACADE] = LlmOut(
        test=item.nodeid,
        folder=item.path.parent,
        recording=Recording(recording_path(item.path, test_name(item)), mode),
        find_model=lambda: request.getfixturevalue("llmout_model"),
        redact=llmout_redact,
    )
    yield facade
    facade.recording.close(complete=not facade.unanswered)


@pytest.fixture
def llm_reply(request: pytest.FixtureRequest) -> ReplyRecord:
    """One recorded reply of the corpus that the marker `llm_corpus` names."""
    if not hasattr(request, "param"):
        raise UsageError('llm_reply needs a corpus: mark the test with @pytest.mark.llm_corpus("path-or-glob")')
    reply: ReplyRecord = request.param
    return reply


@pytest.fixture(scope="session")
def assert_canonical() -> Callable[..., None]:
    """`pytest_llmout.assertions.assert_canonical`: a reply is written in its canonical form."""
    from pytest_llmout.assertions import assert_canonical

    return assert_canonical


@pytest.fixture(scope="session")
def assert_accepts() -> Callable[..., Ok[Any]]:
    """`pytest_llmout.assertions.assert_accepts`: a reply keeps its contract."""
    from pytest_llmout.assertions import assert_accepts

    return assert_accepts


@pytest.fixture(scope="session")
def assert_failure_kind() -> Callable[..., Failure]:
    """`pytest_llmout.assertions.assert_failure_kind`: a reply breaks its contract in a given way."""
    from pytest_llmout.assertions import assert_failure_kind

    return assert_failure_kind


@pytest.fixture(scope="session")
def assert_same_dialect() -> Callable[..., None]:
    """`pytest_llmout.assertions.assert_same_dialect`: a reply has the habits of recorded ones."""
    from pytest_llmout.assertions import assert_same_dialect

    return assert_same_dialect


@pytest.fixture(scope="session")
def assert_surfaces_agree() -> Callable[..., None]:
    """`pytest_llmout.boundary.surfaces.agreement.assert_surfaces_agree`; needs `pytest-llmout[surfaces]`."""
    from pytest_llmout.boundary.surfaces.agreement import assert_surfaces_agree

    return assert_surfaces_agree


@pytest.fixture
def llm_snapshot(request: pytest.FixtureRequest) -> SnapshotAssertion:
    """The `snapshot` of syrupy, comparing texts and canonical forms byte by byte."""
    if not request.config.pluginmanager.hasplugin("syrupy"):
        raise UsageError("llm_snapshot needs syrupy: pip install 'pytest-llmout[snapshot]'")
    from pytest_llmout.snapshot import ReplySnapshotExtension

    snapshot: SnapshotAssertion = request.getfixturevalue("snapshot")
    return snapshot.use_extension(ReplySnapshotExtension)


def _rejections(item: pytest.Item) -> list[str]:
    """Return why each reply of a test was rejected, an empty text for one that was not."""
    facade = item.stash.get(_FACADE, None)
    failures = [reply.failure for reply in facade.asked] if facade else []
    return [f"{failure.kind} failure ({failure.reason})" if failure else "" for failure in failures]


def _left_by(item: pytest.Item) -> dict[str, list[Any]]:
    facade = item.stash.get(_FACADE, None)
    left: dict[str, list[Any]] = {
        "replies": [reply.to_wire() for reply in facade.asked] if facade else [],
        "repeats": item.stash.get(REPEATED, []),
        "unused": _unused_by(item, facade) if item.stash.get(_PASSED, False) else [],
    }
    return {name: value for name, value in left.items() if value}


def _unused_by(item: pytest.Item, facade: LlmOut | None) -> list[str]:
    path = recording_path(item.path, test_name(item))
    shown = shown_path(path, item.config)
    if facade is not None:
        return [f"{shown} ({name})" for name in facade.recording.unused()]
    return [f"{shown} (the test asks nothing)"] if path.exists() else []


def _summarise(wires: Sequence[Mapping[str, Any]]) -> Iterable[str]:
    from pytest_llmout.harness.asked import Asked
    from pytest_llmout.harness.summary import summary_lines

    return summary_lines([Asked.from_wire(wire) for wire in wires])


def _write_report(path: Path, wires: Sequence[Mapping[str, Any]]) -> None:
    from pytest_llmout.harness.asked import Asked
    from pytest_llmout.harness.reports import write_report

    try:
        write_report(path, [Asked.from_wire(wire) for wire in wires])
    except OSError as error:
        raise UsageError(f"--llmout-report {path}: cannot be written: {error.strerror}") from error
