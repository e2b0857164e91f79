import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from pytest_llmout.harness.repeat import FailedRun, failure_text, verdict, wilson_interval


@pytest.mark.parametrize(("successes", "trials"), [(0, 10), (1, 10), (5, 10), (18, 20), (999, 1000), (3, 3)])
def test_the_interval_is_that_of_scipy(successes: int, trials: int) -> None:
    reference = binomtest(successes, trials).proportion_ci(method="wilson")

    assert wilson_interval(successes, trials) == pytest.approx((reference.low, reference.high))


@given(st.integers(1, 1000), st.data())
def test_the_interval_holds_the_rate_and_stays_in_range(trials: int, data: st.DataObject) -> None:
    successes = data.draw(st.integers(0, trials))
    low, high = wilson_interval(successes, trials)

    assert 0 <= low <= successes / trials <= high <= 1
    mirrored = wilson_interval(trials - successes, trials)
    assert mirrored == pytest.approx((1 - high, 1 - low))


def test_the_verdict_is_taken_at_the_rate_itself() -> None:
    failed = [FailedRun(3, "kind", "message")]

    assert verdict(10, failed, 0.9)[0]
    assert not verdict(10, failed, 0.91)[0]


def test_one_example_of_each_kind_most_frequent_first() -> None:
    failed = [FailedRun(1, "a", "first\nline"), FailedRun(2, "b", "second"), FailedRun(3, "b", "third")]

    assert failure_text("line", failed).split("\n") == [
        "line",
        "2 × b, such as run 2:",
        "    second",
        "1 × a, such as run 1:",
        "    first",
        "    line",
    ]
