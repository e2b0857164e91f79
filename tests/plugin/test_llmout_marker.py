from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from plugin_runs import Run

COUNTING = """
import pytest

runs = iter(range(100))

@pytest.mark.llmout({settings})
def test_counting():
    assert next(runs) % 10 != 0
"""


def test_it_repeats_a_test_under_one_setup(pytester: pytest.Pytester, run: Run) -> None:
    pytester.makepyfile(COUNTING.format(settings="repeat=20, min_pass_rate=0.9"))
    result = run()

    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["*::test_counting: 18/20 runs passed (90%, 95% interval 70% to 97%); 90% required"])


def test_it_goes_before_the_options(pytester: pytest.Pytester, run: Run) -> None:
    pytester.makepyfile(COUNTING.format(settings="repeat=2"))
    result = run("--llmout-repeat", "50", "--llmout-min-pass-rate", "0.5")

    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["*::test_counting: 1/2 runs passed (50%, *); 50% required"])


def test_a_test_that_another_plugin_calls_is_repeated_too(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        """
        import asyncio
        import inspect

        import pytest

        @pytest.hookimpl(tryfirst=True)
        def pytest_pyfunc_call(pyfuncitem):
            if inspect.iscoroutinefunction(pyfuncitem.obj):
                asyncio.run(pyfuncitem.obj())
                return True
        """
    )
    pytester.makepyfile(
        """
        import pytest

        runs = []

        @pytest.mark.llmout(repeat=3)
        async def test_one():
            runs.append(1)

        def test_two():
            assert len(runs) == 3
        """
    )
    pytester.runpytest_inprocess().assert_outcomes(passed=2)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("20", "the marker llmout takes repeat and min_pass_rate by name, not 20"),
        ("repeats=20", "the marker llmout takes repeat and min_pass_rate by name, not repeats"),
        ("repeat=2.5", "repeat=2.5: give a whole number from 1"),
        ("repeat=2, min_pass_rate='most'", "min_pass_rate='most': give a share from 0 to 1"),
    ],
)
def test_misuse_is_named(pytester: pytest.Pytester, settings: str, message: str) -> None:
    pytester.makepyfile(COUNTING.format(settings=settings))
    result = pytester.runpytest_inprocess()

    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([f"E *UsageError: {message}"])
