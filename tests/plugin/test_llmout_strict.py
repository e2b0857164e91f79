from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from plugin_runs import Calls, Recordings, Run

TEST = """
import pytest

REPLIES = ["a", "b"]

def test_kept(llmout):
    llmout.ask("Kept.")
    {second}

{other}
"""
OTHER = """
def test_other(llmout):
    llmout.ask("Other.")
"""
UNUSED = "unused recording: __recordings__/test_one/"


@pytest.fixture(autouse=True)
def _recorded(pytester: pytest.Pytester, scripted: Calls) -> None:
    pytester.makepyfile(test_one=TEST.format(second="llmout.ask('Second.')", other=OTHER))
    pytester.runpytest_inprocess("-p", "no:syrupy", "--llmout-record-mode", "once").assert_outcomes(passed=2)
    assert len(scripted()) == 3


def test_a_full_run_that_uses_everything_passes(run: Run) -> None:
    result = run("--llmout-strict")

    assert result.ret == pytest.ExitCode.OK
    result.stdout.no_fnmatch_line("unused recording*")


@pytest.mark.parametrize("strict", [True, False], ids=["strict", "lenient"])
def test_unused_recordings_are_reported_and_fail_a_strict_run(
    pytester: pytest.Pytester, run: Run, recordings: Recordings, *, strict: bool
) -> None:
    pytester.makepyfile(test_one=TEST.format(second="", other=""))
    result = run(*(["--llmout-strict"] if strict else []))

    result.assert_outcomes(passed=1)
    assert result.ret == (pytest.ExitCode.TESTS_FAILED if strict else pytest.ExitCode.OK)
    result.stdout.fnmatch_lines(
        [
            f"{UNUSED}test_kept.jsonl (test_one.py::test_kept/2: 1)",
            f"{UNUSED}test_other.jsonl (no such test)",
            "next: delete what no test needs; --llmout-record-mode rewrite drops it from the tests it records",
        ]
    )
    assert len(recordings()) == 2


def test_a_test_that_asks_nothing_any_more(pytester: pytest.Pytester, run: Run) -> None:
    pytester.makepyfile(test_one=TEST.format(second="llmout.ask('Second.')", other="def test_other():\n    pass\n"))
    result = run("--llmout-strict")

    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines([f"{UNUSED}test_other.jsonl (the test asks nothing)"])


def test_a_module_that_is_gone(pytester: pytest.Pytester, run: Run) -> None:
    (pytester.path / "test_one.py").unlink()
    pytester.makepyfile(test_two="def test_two():\n    pass\n")
    result = run("--llmout-strict")

    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        [f"{UNUSED}test_kept.jsonl (no such module)", f"{UNUSED}test_other.jsonl (no such module)"]
    )


@pytest.mark.parametrize(
    "subset",
    [
        pytest.param(("test_one.py::test_kept",), id="node"),
        pytest.param(("-k", "kept"), id="keyword"),
        pytest.param(("--deselect", "test_one.py::test_other"), id="deselected"),
        pytest.param(("--ignore", "test_one.py"), id="ignored"),
        pytest.param(("--collect-only",), id="collected"),
    ],
)
def test_a_subset_reports_nothing(pytester: pytest.Pytester, subset: tuple[str, ...]) -> None:
    pytester.makepyfile(test_two="def test_two():\n    pass\n")
    result = pytester.runpytest_inprocess("--llmout-strict", *subset)

    assert result.ret == pytest.ExitCode.OK
    result.stdout.no_fnmatch_line("unused recording*")


@pytest.mark.parametrize(
    "body",
    ["llmout.ask('Kept.'); assert False", "pytest.skip('today')"],
    ids=["failed", "skipped"],
)
def test_a_test_that_did_not_get_through_leaves_nothing_unused(pytester: pytest.Pytester, body: str) -> None:
    pytester.makepyfile(test_one=f"import pytest\nREPLIES = []\ndef test_kept(llmout):\n    {body}\n{OTHER}")
    result = pytester.runpytest_inprocess()

    result.stdout.no_fnmatch_line("unused recording*")


def test_a_last_failed_run_reports_nothing(pytester: pytest.Pytester) -> None:
    source = TEST.format(second="llmout.ask('Second.'); assert False", other=OTHER)
    pytester.makepyfile(test_one=source)
    pytester.runpytest_inprocess().assert_outcomes(passed=1, failed=1)
    result = pytester.runpytest_inprocess("--lf")

    result.assert_outcomes(failed=1)
    result.stdout.no_fnmatch_line("unused recording*")


def test_fewer_runs_than_recorded_leave_nothing_unused(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_three="REPLIES = ['a', 'b']\ndef test_three(llmout):\n    llmout.ask('Go.')\n")
    options = ("test_three.py", "-p", "no:syrupy")
    pytester.runpytest_inprocess(*options, "--llmout-record-mode", "once", "--llmout-repeat", "2").assert_outcomes(
        passed=1
    )
    result = pytester.runpytest_inprocess(*options, "--llmout-strict")

    assert result.ret == pytest.ExitCode.OK
    result.stdout.no_fnmatch_line("unused recording*")
