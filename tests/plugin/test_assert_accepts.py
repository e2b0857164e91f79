from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from pydantic import BaseModel

from pytest_llmout import UsageError
from pytest_llmout.assertions import assert_accepts
from pytest_llmout.outputs.json_output import json_output

if TYPE_CHECKING:
    from plugin_runs import Run


class Verdict(BaseModel):
    score: int


def test_fixture_is_the_function(pytester: pytest.Pytester, run: Run) -> None:
    pytester.makepyfile(
        """
        from pytest_llmout.outputs.json_output import json_output

        def test_good(assert_accepts):
            assert assert_accepts(json_output(dict[str, int]), '{"score": 2}').value == {"score": 2}

        def test_bad(assert_accepts):
            assert_accepts(json_output(dict[str, int]), '{"score": "high"}')
        """
    )
    result = run()

    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        [
            "E * AssertionError: expected a reply that json accepts",
            "E * observed a schema failure (validation): *score*",
            'E * the reply, 17 characters: {"score":·"high"}',
            "E * next: correct the prompt or the schema, or expect this failure with assert_failure_kind",
        ]
    )


def test_returns_the_typed_value() -> None:
    assert assert_accepts(json_output(Verdict), '{"score": 2}').value == Verdict(score=2)


def test_a_long_reply_is_shortened() -> None:
    with pytest.raises(AssertionError, match=r"the reply, 1000000 characters: x{200}…\n"):
        assert_accepts(json_output(Verdict), "x" * 1_000_000)


def test_no_text() -> None:
    with pytest.raises(UsageError, match="a reply is compared as text, not as NoneType"):
        assert_accepts(json_output(Verdict), None)  # type: ignore[arg-type]  # the mistake under test
