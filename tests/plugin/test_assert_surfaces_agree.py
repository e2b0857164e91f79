from __future__ import annotations

import pytest

pytest.importorskip("cmarkgfm", reason="surfaces need the extra [surfaces]")


def test_the_fixture(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        from pytest_llmout import canonicalize_markdown

        def test_canonical(assert_surfaces_agree):
            assert_surfaces_agree(canonicalize_markdown("*Weekly digest*: all _green_"))

        def test_as_written(assert_surfaces_agree):
            assert_surfaces_agree("*Weekly digest*: all _green_")
        """
    )
    result = pytester.runpytest()
    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        ["E*surfaces disagree in 1 place", "E*'Weekly digest': slack bold, github italic, page italic*(not provable)"]
    )
