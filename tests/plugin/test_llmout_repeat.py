from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from plugin_runs import Calls, Recordings, Run

TEST = """
import pytest
from pytest_llmout import Accepted
from pytest_llmout.outputs.json_output import json_output

REPLIES = ["1", "none", "2", '"x"', "3", "4", "5", "6", "30", "7"]

{mark}
def test_rate(llmout):
    outcome = llmout.ask("Rate it.", output=json_output(int, max_retries=0))
    assert isinstance(outcome, Accepted)
    assert outcome.value < 10

def test_plain():
    pass
"""


@pytest.fixture(autouse=True)
def _recorded(pytester: pytest.Pytester, scripted: Calls) -> None:
    pytester.makepyfile(test_one=TEST.format(mark="@pytest.mark.llmout(repeat=10, min_pass_rate=0)"))
    pytester.runpytest_inprocess("-p", "no:syrupy", "--llmout-record-mode", "once").assert_outcomes(passed=2)
    assert len(scripted()) == 10
    pytester.makepyfile(test_one=TEST.format(mark=""))


def test_recorded_samples_replay_in_order(
    pytester: pytest.Pytester, run: Run, scripted: Calls, recordings: Recordings
) -> None:
    result = run("--llmout-repeat", "10", "--llmout-min-pass-rate", "0.7")

    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(
        [
            "10 replies, 10 of them replayed",
            "test_one.py::test_rate: 7/10 runs passed (70%, 95% interval 40% to 89%); 70% required",
        ]
    )
    assert [record.sample for record in recordings()["test_rate.jsonl"]] == list(range(10))
    assert len(scripted()) == 10
    assert pytester.path.exists()


def test_a_failure_tells_rate_interval_kinds_and_one_example_of_each(run: Run) -> None:
    result = run("--llmout-repeat", "10", "--llmout-min-pass-rate", "0.8")

    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        [
            "7/10 runs passed (70%, 95% interval 40% to 89%); 80% required",
            "1 × syntax failure (*), such as run 2:",
            "    AssertionError: *",
            "1 × schema failure (validation), such as run 4:",
            "1 × AssertionError at test_one.py:11, such as run 9:",
            "    AssertionError: assert 30 < 10*",
        ]
    )


def test_by_default_every_run_has_to_pass(run: Run) -> None:
    run("--llmout-repeat", "1").assert_outcomes(passed=2)
    result = run("--llmout-repeat", "2")

    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["1/2 runs passed (50%, 95% interval 9% to 91%); 100% required"])


def test_more_runs_than_recorded_end_the_test(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess("--llmout-repeat", "11", "--llmout-min-pass-rate", "0")

    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["E *test_rate/1: sample 11 is asked, 10 recorded in *"])


def test_an_error_that_is_no_failed_assertion_ends_the_test(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_one="def test_one(llmout):\n    raise KeyError('score')\n")
    result = pytester.runpytest_inprocess("--llmout-repeat", "10", "--llmout-min-pass-rate", "0")

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E *KeyError: 'score'"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--llmout-repeat", "0"), "argument --llmout-repeat: '0': give a whole number from 1"),
        (("--llmout-repeat", "many"), "argument --llmout-repeat: 'many': give a whole number from 1"),
        (("--llmout-min-pass-rate", "2"), "argument --llmout-min-pass-rate: '2': give a share from 0 to 1"),
        (("--llmout-min-pass-rate", "nan"), "argument --llmout-min-pass-rate: 'nan': give a share from 0 to 1"),
    ],
    ids=["none", "word", "rate", "nan"],
)
def test_an_option_out_of_range_is_refused_at_the_start(
    pytester: pytest.Pytester, options: tuple[str, ...], message: str
) -> None:
    result = pytester.runpytest_inprocess(*options)

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*{message}"])
