from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from pydantic import BaseModel

from pytest_llmout import UsageError
from pytest_llmout.assertions import assert_canonical
from pytest_llmout.outputs.json_output import json_output

if TYPE_CHECKING:
    from plugin_runs import Run


class Verdict(BaseModel):
    verdict: str


def test_fixture_is_the_function(pytester: pytest.Pytester, run: Run) -> None:
    pytester.makepyfile(
        """
        import pytest_llmout.assertions

        def test_canonical(assert_canonical):
            assert assert_canonical is pytest_llmout.assertions.assert_canonical
            assert_canonical("**bold** and _italic_")

        def test_dialect(assert_canonical):
            assert_canonical("the *first* line\\n\\n*second*\\r\\n")
        """
    )
    result = run()

    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        [
            "E * AssertionError: expected a reply in canonical markdown; normalisation changes it",
            "E * first difference: line 1, column 6 (character 5 of 28 and 32)",
            "E * - the reply as written",
            "E * + its canonical markdown form",
            "E * -    1 | the·[*]first[*]·line␤",
            "E *        |     ^     ^",
            "E * +    1 | the·[*][*]first[*][*]·line␤",
            "E *      2 | ␤",
            "E * -    3 | [*]second[*]␍␤",
            "E * next: if the reply is fine as it is, compare its canonical form instead; else correct the prompt",
        ]
    )


def test_a_lone_surrogate_can_be_reported_from_any_process(pytester: pytest.Pytester, run: Run) -> None:
    pytester.makepyfile(
        r"""
        import pytest
        from pytest_llmout import Accepted, json_output, markdown_output

        def test_text(assert_canonical):
            assert_canonical("*\ud800*\x1b[31m")

        def test_json(assert_accepts):
            assert_accepts(json_output(str), '"\ud800" \ud800')

        @pytest.mark.llmout(repeat=2)
        def test_repeated():
            assert False, "\ud800"
        """
    )
    result = run()

    result.assert_outcomes(failed=3)
    result.stdout.fnmatch_lines_random(
        ["E * -    1 | [*]⟨U+D800⟩[*]⟨U+001B⟩[[]31m", "E *the reply, 5 characters: *⟨U+D800⟩*"]
    )


def test_json_reply_in_canonical_form() -> None:
    assert_canonical('{"verdict":"good"}', json_output(Verdict))


def test_json_reply_in_another_form() -> None:
    with pytest.raises(AssertionError, match="expected a reply in canonical json; normalisation changes it") as caught:
        assert_canonical('{"verdict": "good"}', json_output(Verdict))

    assert '-    1 | {"verdict":·"good"}' in str(caught.value)


def test_reply_that_breaks_its_contract() -> None:
    with pytest.raises(AssertionError) as caught:
        assert_canonical("I cannot help with that.\n", json_output(Verdict))

    expectation, observed, reply, advice = str(caught.value).split("\n")
    assert expectation == "expected a reply in canonical json; it breaks the contract"
    assert observed.startswith("observed a syntax failure (")
    assert reply == "the reply, 25 characters: I·cannot·help·with·that.␤"
    assert advice == "next: correct the prompt, or expect this failure with assert_failure_kind"


def test_no_text() -> None:
    with pytest.raises(UsageError, match="a reply is compared as text, not as bytes: pass its raw or canonical text"):
        assert_canonical(b"reply")  # type: ignore[arg-type]  # the mistake under test
