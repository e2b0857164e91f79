from __future__ import annotations

from typing import TYPE_CHECKING, Any

import llm
import pytest

from pytest_llmout.corpus.models import ModelReply, load_model
from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator

    from pydantic import JsonValue

SYSTEM = {"role": "system", "content": "be brief"}
USER = {"role": "user", "content": "hello"}
ASSISTANT = {"role": "assistant", "content": "hi"}


class Plain(llm.Model):
    """Answers with what it was given, as a plugin written before message lists reads it."""

    model_id = "plain"

    class Options(llm.Options):
        temperature: float | None = None

    def execute(self, prompt: Any, stream: bool, response: Any, conversation: Any) -> Iterator[str]:  # noqa: ANN401, FBT001  the signature of llm
        del stream, conversation
        response.response_json = {"finish_reason": "stop"}
        response.set_resolved_model("plain-2024")
        yield f"{prompt.system} {prompt.prompt} {prompt.options.temperature}"


class Chat(llm.AsyncModel):
    """Answers with the roles of the messages it was given."""

    model_id = "chat"

    async def execute(self, prompt: Any, stream: bool, response: Any, conversation: Any) -> AsyncGenerator[str, None]:  # noqa: ANN401, FBT001  the signature of llm
        del stream, conversation
        response.response_json = {"choices": [{"finish_reason": "length"}]}
        yield " ".join(message.role for message in prompt.messages)


@pytest.fixture(autouse=True)
def models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(llm, "get_model_aliases", lambda: {"plain": Plain(), "both": Plain()})
    monkeypatch.setattr(llm, "get_async_model_aliases", lambda: {"chat": Chat(), "both": Chat()})


def test_a_plain_model_gets_prompt_system_and_options_and_is_asked_one_by_one() -> None:
    model = load_model("llm:plain")
    expected = ModelReply("be brief hello 0.5", finish_reason="stop", model="plain-2024")
    assert model.ask([SYSTEM, USER], {"temperature": 0.5}) == expected
    assert model.ask([USER], {}).text == " hello None"
    assert (model.name, model.provider, model.concurrent) == ("plain", "llm", False)


def test_an_asynchronous_model_gets_the_conversation_and_may_be_asked_at_once() -> None:
    model = load_model("llm:chat")
    reply = model.ask([SYSTEM, USER, ASSISTANT, USER], {})
    assert reply == ModelReply("system user assistant user", finish_reason="length")
    assert model.concurrent


def test_the_asynchronous_model_is_preferred() -> None:
    assert load_model("llm:both").concurrent


def test_an_unknown_role_is_named() -> None:
    with pytest.raises(UsageError, match="llm has no message role 'tool'; it has system, user, assistant"):
        load_model("llm:plain").ask([{"role": "tool", "content": "x"}], {})


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"top": 1}, "llm model plain: parameter: top: Extra inputs are not permitted; its parameters are temperature"),
        ({"temperature": "hot"}, "llm model plain: parameter: temperature: Input should be a valid number"),
    ],
)
def test_a_wrong_parameter_is_answered_with_those_there_are(parameters: dict[str, JsonValue], message: str) -> None:
    with pytest.raises(UsageError) as raised:
        load_model("llm:plain").ask([USER], parameters)
    assert str(raised.value).startswith(message)
