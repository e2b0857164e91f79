from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from pydantic import BaseModel

from pytest_llmout import FailureKind, UsageError
from pytest_llmout.assertions import assert_failure_kind
from pytest_llmout.outputs.json_output import json_output

if TYPE_CHECKING:
    from plugin_runs import Run


class Verdict(BaseModel):
    score: int


def test_fixture_is_the_function(pytester: pytest.Pytester, run: Run) -> None:
    pytester.makepyfile(
        """
        from pytest_llmout.outputs.json_output import json_output

        def test_schema(assert_failure_kind):
            assert_failure_kind(json_output(dict[str, int]), '{"score": "high"}', "schema")

        def test_syntax(assert_failure_kind):
            assert_failure_kind(json_output(dict[str, int]), '{"score": "high"}', "syntax", "truncated")
        """
    )
    result = run()

    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        [
            "E * AssertionError: expected json to report a syntax failure (truncated)",
            "E * observed a schema failure (validation): *score*",
            'E * the reply, 17 characters: {"score":·"high"}',
            "E * next: expect this failure instead if it is right",
        ]
    )


@pytest.mark.parametrize("kind", ["schema", FailureKind.SCHEMA], ids=["word", "member"])
@pytest.mark.parametrize("reason", [None, "validation"])
def test_returns_the_failure(kind: str, reason: str | None) -> None:
    failure = assert_failure_kind(json_output(Verdict), '{"score": "high"}', kind, reason)

    assert (failure.kind, failure.reason) == (FailureKind.SCHEMA, "validation")


def test_another_reason() -> None:
    with pytest.raises(
        AssertionError, match="expected json to report a syntax failure \\(truncated\\)\nobserved a syn"
    ):
        assert_failure_kind(json_output(Verdict), "none", "syntax", "truncated")


def test_an_accepted_reply_states_the_expectation() -> None:
    with pytest.raises(AssertionError) as caught:
        assert_failure_kind(json_output(Verdict), '{"score": 2}', "schema")

    assert str(caught.value).split("\n") == [
        "expected json to report a schema failure",
        'the reply is accepted as {"score":2}',
        'the reply, 12 characters: {"score":·2}',
        "next: tighten the schema if it should not be accepted, or use assert_accepts",
    ]


def test_unknown_kind_lists_the_candidates() -> None:
    with pytest.raises(UsageError, match="no failure kind 'semantic': it is one of syntax, schema"):
        assert_failure_kind(json_output(Verdict), "", "semantic")
