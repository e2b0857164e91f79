from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pytest_llmout import (
    Accepted,
    Attempt,
    Failure,
    FailureKind,
    Ok,
    OutputType,
    Rejected,
    accept_output,
    accept_output_async,
    correction,
)

if TYPE_CHECKING:
    from collections.abc import Callable

HOPELESS = Failure(FailureKind.SCHEMA, "hopeless", "hopeless")
OUTCOMES = st.sampled_from(["good", "bad", "hopeless"])


@dataclass(frozen=True)
class Word:
    """Accepts the reply `good`; asking again does not help after `hopeless`."""

    max_retries: int
    name: str = "word"
    request_hint: str | None = None

    def parse(self, raw: str) -> Ok[str] | Failure:
        match raw:
            case "good":
                return Ok(raw, raw, changed=False)
            case "hopeless":
                return HOPELESS
            case _:
                return Failure(FailureKind.SYNTAX, f"({raw})", "bad")

    def retryable(self, failure: Failure) -> bool:
        return failure != HOPELESS


@dataclass
class Script:
    replies: list[str]
    told: list[Failure] = field(default_factory=list)

    def __call__(self, failure: Failure) -> str:
        self.told.append(failure)
        return self.replies[len(self.told)]

    async def ask(self, failure: Failure) -> str:
        await asyncio.sleep(0)
        return self(failure)


def accept(output: OutputType[str], script: Script) -> Accepted[str] | Rejected:
    return accept_output(output, script.replies[0], script)


def accept_async(output: OutputType[str], script: Script) -> Accepted[str] | Rejected:
    return asyncio.run(accept_output_async(output, script.replies[0], script.ask))


either = pytest.mark.parametrize("accept", [accept, accept_async], ids=["sync", "async"])
scripts = st.lists(OUTCOMES, min_size=6, max_size=6).map(Script)


@either
@given(scripts, st.integers(0, 5))
def test_reask_terminates_at_the_first_final_reply(
    accept: Callable[[OutputType[str], Script], Accepted[str] | Rejected], script: Script, max_retries: int
) -> None:
    script = Script(script.replies)
    outcome = accept(Word(max_retries), script)
    finals = [number for number, reply in enumerate(script.replies, start=1) if reply != "bad"]
    assert outcome.attempts == min([*finals, max_retries + 1])
    assert outcome.raw == script.replies[outcome.attempts - 1]
    assert isinstance(outcome, Accepted) == (outcome.raw == "good")


@either
@given(scripts, st.integers(0, 5))
def test_history_holds_every_earlier_reply_and_what_reask_was_told(
    accept: Callable[[OutputType[str], Script], Accepted[str] | Rejected], script: Script, max_retries: int
) -> None:
    script = Script(script.replies)
    outcome = accept(Word(max_retries), script)
    assert [attempt.raw for attempt in outcome.history] == script.replies[: outcome.attempts - 1]
    assert [attempt.failure for attempt in outcome.history] == script.told
    assert all(
        attempt == Attempt(attempt.raw, failure) for attempt, failure in zip(outcome.history, script.told, strict=True)
    )


@given(st.integers(0, 5))
def test_without_reask_nothing_is_asked(max_retries: int) -> None:
    assert accept_output(Word(max_retries), "bad") == Rejected(Failure(FailureKind.SYNTAX, "(bad)", "bad"), "bad", 1)
    assert asyncio.run(accept_output_async(Word(max_retries), "good")) == Accepted("good", "good", False, "good", 1)  # noqa: FBT003  the contract's field order


@either
def test_an_exception_out_of_reask_is_the_callers(
    accept: Callable[[OutputType[str], Script], Accepted[str] | Rejected],
) -> None:
    with pytest.raises(IndexError) as caught:
        accept(Word(max_retries=2), Script(["bad"]))
    assert caught.value.__notes__ == ["while re-asking after a syntax failure (bad): (bad)"]


@either
@pytest.mark.parametrize("stop", [KeyboardInterrupt, asyncio.CancelledError])
def test_an_interruption_passes_through(
    accept: Callable[[OutputType[str], Script], Accepted[str] | Rejected], stop: type[BaseException]
) -> None:
    class Stopping(Script):
        def __call__(self, failure: Failure) -> str:
            raise stop(failure.reason)

    with pytest.raises(stop):
        accept(Word(max_retries=2), Stopping(["bad"]))


@given(st.lists(st.fixed_dictionaries({"role": st.text(), "content": st.text()})), st.text(), st.text())
def test_correction_keeps_every_text_as_it_is(messages: list[dict[str, str]], raw: str, observed: str) -> None:
    before = [dict(message) for message in messages]
    built = correction(messages, raw, Failure(FailureKind.SYNTAX, observed, "bad"))
    assert messages == before
    assume({"role": "assistant", "content": raw} not in messages)
    assert built == [*before, {"role": "assistant", "content": raw}, {"role": "user", "content": observed}]


def test_identical_replies_in_a_row_are_called_a_repetition() -> None:
    failure = Failure(FailureKind.SYNTAX, "(bad)", "bad")
    once = correction([{"role": "user", "content": "Go."}], "bad", failure)
    twice = correction(once, "bad", failure)
    assert once[-1]["content"] == "(bad)"
    assert twice[-1]["content"] == "(bad) (the same reply as before; it must change)"
    assert correction(twice, "worse", failure)[-1]["content"] == "(bad)"


@pytest.mark.parametrize("raw", ["{} {0} {raw} %s %(x)s ${y} {{", "\ud800\0\r\n"])
def test_correction_is_no_template(raw: str) -> None:
    failure = Failure(FailureKind.SYNTAX, raw, "bad")
    assert [message["content"] for message in correction([], raw, failure)] == [raw, raw]
