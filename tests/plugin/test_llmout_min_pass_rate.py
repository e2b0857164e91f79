from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from plugin_runs import Run


@pytest.mark.parametrize(("rate", "passes"), [("0", True), ("0.75", True), ("0.76", False), ("1", False)])
def test_it_is_the_share_of_runs_that_has_to_pass(
    pytester: pytest.Pytester, run: Run, rate: str, *, passes: bool
) -> None:
    pytester.makepyfile(
        """
        import pytest

        runs = iter([True, False, True, True])

        @pytest.mark.llmout(repeat=4)
        def test_one():
            assert next(runs)
        """
    )
    result = run("--llmout-min-pass-rate", rate)

    result.assert_outcomes(passed=int(passes), failed=int(not passes))
    result.stdout.fnmatch_lines([f"*3/4 runs passed (75%, 95% interval 30% to 95%); {float(rate):.0%} required"])
