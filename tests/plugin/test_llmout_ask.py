from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from plugin_runs import Calls, Recordings, Run


def test_asks_records_and_replays_with_every_attempt(
    pytester: pytest.Pytester, run: Run, scripted: Calls, recordings: Recordings
) -> None:
    pytester.makepyfile(
        test_one="""
        from pytest_llmout import Accepted, Rejected
        from pytest_llmout.outputs.json_output import json_output

        REPLIES = ["none", '{"score": "high"}', '{"score": 2}\\r\\n', "*done*"]

        def test_verdict(llmout):
            verdict = llmout.ask("Rate it.", output=json_output(dict[str, int]))
            assert isinstance(verdict, Accepted)
            assert verdict.value == {"score": 2}
            assert verdict.raw == '{"score": 2}\\r\\n'
            assert [attempt.raw for attempt in verdict.history] == ["none", '{"score": "high"}']
            assert llmout.ask("Say it.").canonical == "**done**"

        def test_refusal(llmout):
            outcome = llmout.ask("Rate it.", output=json_output(dict[str, int], max_retries=0))
            assert isinstance(outcome, Rejected)
            assert outcome.failure.kind == "syntax"
        """
    )
    run("--llmout-record-mode", "once").assert_outcomes(passed=2)
    asked = len(scripted())

    verdict, said = recordings()["test_verdict.jsonl"]
    assert [attempt.raw for attempt in verdict.attempts] == ["none", '{"score": "high"}']
    assert (verdict.raw, verdict.canonical, verdict.changed) == ('{"score": 2}\r\n', '{"score":2}', False)
    assert (verdict.model.name, verdict.prompt_id) == ("scripted", "test_one.py::test_verdict/1")
    assert (said.raw, said.canonical, said.changed) == ("*done*", "**done**", True)
    (refusal,) = recordings()["test_refusal.jsonl"]
    assert (refusal.raw, refusal.canonical) == ("none", None)

    result = run()
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(
        ["3 replies, 3 of them replayed", "1 accepted at once, 1 after a re-ask, 1 rejected", "1 rejected: syntax (*)"]
    )
    assert len(scripted()) == asked


def test_a_re_ask_holds_the_whole_conversation(pytester: pytest.Pytester, scripted: Calls) -> None:
    pytester.makepyfile(
        """
        from pytest_llmout.outputs.json_output import json_output

        REPLIES = ["none", "nothing", "{}"]

        def test_one(llmout):
            llmout.ask([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Go."}],
                       output=json_output(dict[str, int]), parameters={"temperature": 0.5})
        """
    )
    pytester.runpytest_inprocess("--llmout-record-mode", "once").assert_outcomes(passed=1)

    (first, parameters), _, (third, _) = scripted()
    assert first == [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Go."}]
    assert parameters == {"temperature": 0.5}
    assert [message["role"] for message in third] == ["system", "user", "assistant", "user", "assistant", "user"]
    assert [third[2]["content"], third[4]["content"]] == ["none", "nothing"]


def test_samples_are_a_list_and_count_on(pytester: pytest.Pytester, run: Run, scripted: Calls) -> None:
    pytester.makepyfile(
        """
        REPLIES = ["a", "b", "c", "d"]

        def test_one(llmout):
            seeded = {"seed": 7, "temperature": 1.0}
            assert [each.raw for each in llmout.ask("Go.", samples=2, parameters=seeded)] == ["a", "b"]
            assert llmout.ask("Stop.").raw == "c"
            assert llmout.ask("Go.", parameters=seeded).raw == "d"
        """
    )
    run("--llmout-record-mode", "once").assert_outcomes(passed=1)
    run().assert_outcomes(passed=1)

    assert [parameters.get("seed") for _, parameters in scripted()] == [7, 8, None, 9]


def test_requests_may_change_places(pytester: pytest.Pytester, scripted: Calls) -> None:
    test = "REPLIES = ['a', 'b']\ndef test_one(llmout):\n    assert {} == ('a', 'b')\n"
    pytester.makepyfile(test_one=test.format("(llmout.ask('A').raw, llmout.ask('B').raw)"))
    pytester.runpytest_inprocess("--llmout-record-mode", "once").assert_outcomes(passed=1)
    pytester.makepyfile(test_one=test.format("(llmout.ask('B').raw, llmout.ask('A').raw)[::-1]"))

    pytester.runpytest_inprocess().assert_outcomes(passed=1)
    assert len(scripted()) == 2


def test_a_prompt_of_a_prompt_file(
    pytester: pytest.Pytester, run: Run, scripted: Calls, recordings: Recordings
) -> None:
    pytester.makefile(
        ".toml",
        prompts="""
        [[prompts]]
        id = "rate"
        family = "verdict"
        prompt = "Rate it."
        output = "json"
        schema = { type = "object", additionalProperties = { type = "integer" } }

        [[prompts]]
        id = "describe"
        prompt = "Describe it."
        """,
    )
    pytester.makepyfile(
        """
        REPLIES = ['{"score": 2}', "*it*"]

        def test_one(llmout):
            assert llmout.ask("prompts.toml::rate").value == {"score": 2}
            assert llmout.ask("prompts.toml::describe").canonical == "**it**"
        """
    )
    run("--llmout-record-mode", "once").assert_outcomes(passed=1)
    run().assert_outcomes(passed=1)

    rate, describe = recordings()["test_one.jsonl"]
    assert (rate.prompt_id, rate.family) == ("rate", "verdict")
    assert (describe.prompt_id, describe.output and describe.output.type) == ("describe", "markdown")
    assert scripted()[0][0] == [{"role": "user", "content": "Rate it."}]


def test_the_request_hint_closes_the_prompt(pytester: pytest.Pytester, scripted: Calls) -> None:
    pytester.makepyfile(
        """
        from pytest_llmout.outputs.json_output import json_output

        REPLIES = ["1"]

        def test_one(llmout):
            llmout.ask("Rate it.", output=json_output(int, request_hint="Only a number."), hint=True)
        """
    )
    pytester.runpytest_inprocess("--llmout-record-mode", "once").assert_outcomes(passed=1)

    assert scripted()[0][0] == [{"role": "user", "content": "Rate it.\n\nOnly a number."}]


def test_in_a_coroutine(pytester: pytest.Pytester, scripted: Calls) -> None:
    pytester.makepyfile(
        """
        import asyncio

        REPLIES = ["a"]

        def test_awaited(llmout):
            assert asyncio.run(llmout.ask_async("Go.")).raw == "a"

        async def ask(llmout):
            llmout.ask("Go.")

        def test_not_awaited(llmout):
            asyncio.run(ask(llmout))
        """
    )
    result = pytester.runpytest_inprocess("--llmout-record-mode", "once", "-W", "error")

    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(["E *llmout.ask was called in a coroutine: use `await llmout.ask_async(…)` there"])
    assert len(scripted()) == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        pytest.param("llmout.ask('Go.', samples=0)", "samples=0: ask for one reply or more", id="no-sample"),
        pytest.param("llmout.ask([])", "a prompt is a text or messages; there is no message in it", id="no-message"),
        pytest.param(
            "llmout.ask(None)",
            "a prompt is a text or messages with role and content; NoneType: Input should be a valid tuple",
            id="no-prompt-at-all",
        ),
        pytest.param(
            "llmout.ask('Go.', output=int)",
            "output=<class 'int'> is no output type: give one, such as json_output(…)",
            id="no-output-type",
        ),
        pytest.param(
            "llmout.ask([{'role': 'user'}])",
            "a prompt is a text or messages with role and content; 0.content: Field required",
            id="no-content",
        ),
        pytest.param(
            "llmout.ask('Go.', parameters={'stop': object()})",
            "parameters.stop: *; give what JSON can hold",
            id="no-json",
        ),
        pytest.param("llmout.ask('gone.toml::rate')", "*gone.toml: cannot be read: No such file*", id="no-prompt-file"),
        pytest.param(
            "llmout.ask('prompts.toml::rat')", "*prompts.toml: no prompt 'rat'; there is rate", id="no-prompt"
        ),
    ],
)
def test_misuse_is_named(pytester: pytest.Pytester, scripted: Calls, call: str, message: str) -> None:
    pytester.makefile(".toml", prompts='[[prompts]]\nid = "rate"\nprompt = "Rate it."\n')
    pytester.makepyfile(f"REPLIES = ['a']\ndef test_one(llmout):\n    {call}\n")
    result = pytester.runpytest_inprocess("--llmout-record-mode", "once")

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([f"E *UsageError: {message}"])
    result.stdout.no_fnmatch_line("*asyncio*")
    assert not scripted()
