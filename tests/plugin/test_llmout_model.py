from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from plugin_runs import Recordings, Run

MODELS = """
from pytest_llmout.corpus.models import ModelReply

def plain(messages, **parameters):
    return f"plain {messages[-1]['content']} {parameters}"

async def awaited(messages):
    return "awaited"

def detailed(messages):
    return ModelReply("detailed", finish_reason="length", model="served-2024-08-06", revision="r1")

def silent(messages):
    return None

number = 1
"""


@pytest.fixture(autouse=True)
def _models(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(my_models=MODELS)
    pytester.syspathinsert()
    pytester.makepyfile(
        test_one="""
        def test_one(llmout):
            print("said:", llmout.ask("Go.").raw)
        """
    )


@pytest.mark.parametrize(
    ("spec", "said"),
    [("my_models:plain", "plain Go. {}"), ("my_models:awaited", "awaited"), ("my_models:silent", "")],
)
def test_a_callable_is_asked(pytester: pytest.Pytester, spec: str, said: str) -> None:
    result = pytester.runpytest_inprocess("-s", "--llmout-model", spec, "--llmout-record-mode", "once")

    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["llmout: record mode once", f"*said: {said}*"])


def test_what_the_model_says_about_itself_is_recorded(
    pytester: pytest.Pytester, run: Run, recordings: Recordings
) -> None:
    run("--llmout-model", "my_models:detailed", "--llmout-record-mode", "once").assert_outcomes(passed=1)
    run("--llmout-model", "my_models:detailed").assert_outcomes(passed=1)

    (record,) = recordings()["test_one.jsonl"]
    assert (record.model.name, record.model.requested) == ("served-2024-08-06", "my_models:detailed")
    assert (record.model.revision, record.finish_reason) == ("r1", "length")
    assert pytester.path.exists()


@pytest.mark.parametrize(
    "model",
    [
        pytest.param("lambda messages: 'mine'", id="callable"),
        pytest.param("as_model(lambda messages: 'mine', 'mine')", id="askable"),
        pytest.param("'my_models:mine'", id="name"),
    ],
)
def test_the_fixture_is_overridden(pytester: pytest.Pytester, model: str) -> None:
    pytester.makepyfile(my_models="def mine(messages):\n    return 'mine'\n")
    pytester.makeconftest(
        f"""
        import pytest
        from pytest_llmout.corpus.models import as_model

        @pytest.fixture
        def llmout_model():
            return {model}
        """
    )
    result = pytester.runpytest_inprocess("-s", "--llmout-record-mode", "once")

    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["*said: mine*"])


def test_it_is_not_even_looked_up_for_a_replay(pytester: pytest.Pytester) -> None:
    pytester.runpytest_inprocess("--llmout-model", "my_models:plain", "--llmout-record-mode", "once").assert_outcomes(
        passed=1
    )
    pytester.makeconftest(
        """
        import pytest

        @pytest.fixture
        def llmout_model():
            raise RuntimeError("no key for the provider")
        """
    )

    pytester.runpytest_inprocess().assert_outcomes(passed=1)
    pytester.runpytest_inprocess("--llmout-record-mode", "once").assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        pytest.param(
            (),
            "there is no model to ask: give --llmout-model llm:NAME or module:callable, or override the fixture *",
            id="none",
        ),
        pytest.param(
            ("--llmout-model", "gpt"), "'gpt' names no model; a model is llm:NAME or module:callable", id="bare"
        ),
        pytest.param(
            ("--llmout-model", "my_models:plane"),
            "module my_models has no attribute 'plane'; there is plain*",
            id="typo",
        ),
        pytest.param(
            ("--llmout-model", "my_models:number"),
            "my_models:number is an object of type int, which cannot be called; *",
            id="no-model",
        ),
    ],
)
def test_a_model_that_cannot_be_asked_is_named(
    pytester: pytest.Pytester, options: tuple[str, ...], message: str
) -> None:
    result = pytester.runpytest_inprocess("--llmout-record-mode", "once", *options)

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([f"E *UsageError: {message}"])


def test_what_a_model_raises_fails_the_test(pytester: pytest.Pytester, recordings: Recordings) -> None:
    pytester.makepyfile(my_models="def down(messages):\n    raise ConnectionError('the provider is down')\n")
    result = pytester.runpytest_inprocess("--llmout-model", "my_models:down", "--llmout-record-mode", "once")

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E *ConnectionError: the provider is down"])
    assert not recordings()
