from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest
from json_case_schemas import MODELS
from jsonl_cases import read_cases

from pytest_llmout import Accepted, Failure, Rejected, accept_output, accept_output_async, correction, json_output

if TYPE_CHECKING:
    from collections.abc import Callable

CASES = read_cases("loop.jsonl")
PROMPT = [{"role": "user", "content": "Give me a task as JSON."}]


@dataclass
class Conversation:
    """A scripted model that is asked the way a caller would ask."""

    replies: list[str | None]
    requests: list[list[dict[str, str]]] = field(default_factory=lambda: [PROMPT])

    def first(self) -> str | None:
        return self.replies[0]

    def reask(self, failure: Failure) -> str | None:
        rejected = self.replies[len(self.requests) - 1] or ""
        self.requests.append(correction(self.requests[-1], rejected, failure))
        return self.replies[len(self.requests) - 1]

    async def reask_async(self, failure: Failure) -> str | None:
        await asyncio.sleep(0)
        return self.reask(failure)


def run(case: dict[str, Any], talk: Conversation) -> Accepted[Any] | Rejected:
    output = json_output(MODELS[case["model"]], max_retries=case["max_retries"])
    return accept_output(output, talk.first(), talk.reask)


def run_async(case: dict[str, Any], talk: Conversation) -> Accepted[Any] | Rejected:
    output = json_output(MODELS[case["model"]], max_retries=case["max_retries"])
    return asyncio.run(accept_output_async(output, talk.first(), talk.reask_async))


@pytest.mark.parametrize("run_case", [run, run_async])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_loop_case(case: dict[str, Any], run_case: Callable[..., Accepted[Any] | Rejected]) -> None:
    talk = Conversation(case["replies"])
    outcome = run_case(case, talk)
    assert len(talk.requests) == outcome.attempts == case["calls"]
    assert outcome.raw == case["replies"][case["calls"] - 1]
    assert [attempt.raw for attempt in outcome.history] == case["replies"][: case["calls"] - 1]
    kinds = [str(attempt.failure.kind) for attempt in outcome.history]
    match outcome:
        case Accepted(value):
            kinds.append("ok")
            assert value.model_dump() == case.get("final", value.model_dump())
        case Rejected(failure):
            kinds.append(failure.kind)
            assert case.get("final") is None
    assert kinds[-1] == case["outcome"]
    assert kinds == case.get("attempts", kinds)
    assert kinds[-1] == case.get("last_attempt_outcome", kinds[-1])
    check_second_request(case, talk, outcome)


def check_second_request(case: dict[str, Any], talk: Conversation, outcome: Accepted[Any] | Rejected) -> None:
    if len(talk.requests) == 1:
        return
    second = talk.requests[1]
    assert [message["role"] for message in second] == ["user", "assistant", "user"]
    whole = "\n".join(message["content"] for message in second)
    assert case["replies"][0] in whole
    assert all(piece in whole for piece in case.get("second_request_contains", []))
    assert not any(piece in whole for piece in case.get("second_request_excludes", []))
    assert whole.count(outcome.history[0].failure.observed) == 1


def test_every_key_of_the_cases_is_read() -> None:
    known = {
        *("id", "model", "replies", "max_retries", "calls", "outcome", "attempts", "final", "last_attempt_outcome"),
        *("second_request_contains", "second_request_excludes", "roles_of_second_request", "observed_count"),
        *("raises", "why"),
    }
    assert {key for case in CASES for key in case} <= known


@pytest.mark.parametrize("nothing", [None, "", " \n"])
def test_a_missing_reply_is_an_empty_reply(nothing: str | None) -> None:
    outcome = accept_output(json_output(MODELS["Task"]), nothing)
    assert isinstance(outcome, Rejected)
    assert (outcome.failure.kind, outcome.failure.reason) == ("syntax", "empty")
    assert outcome.failure.observed == "(empty reply)"
    assert outcome.raw == (nothing or "")
