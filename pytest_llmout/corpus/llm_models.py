"""Models of the `llm` library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import llm
from pydantic import ValidationError

from pytest_llmout.corpus.models import AskableModel, ModelReply
from pytest_llmout.corpus.problems import dotted, first_problem
from pytest_llmout.errors import UsageError
from pytest_llmout.lookup import candidates

if TYPE_CHECKING:
    from pydantic import JsonValue

    from pytest_llmout.corpus.models import Messages

_ROLES = {"system": llm.system, "user": llm.user, "assistant": llm.assistant}


def load_llm_model(name: str) -> AskableModel:
    """Find a model or alias: the asynchronous one, which can answer several prompts at once, if there are both.

    Raises:
        UsageError: `llm` knows no such model; the message lists the nearest it does.
    """
    if name in (asynchronous := llm.get_async_model_aliases()):
        return AskableModel(name=name, call=_LlmAsync(asynchronous[name]), provider="llm")
    if name in (plain := llm.get_model_aliases()):
        # A plain model may hold weights in this process; nothing says that it can answer from two threads.
        return AskableModel(name=name, call=_LlmPlain(plain[name]), provider="llm", concurrent=False)
    raise UsageError(f"llm knows no model {name!r}{candidates(name, (*asynchronous, *plain))}")


class _LlmPlain:
    def __init__(self, model: llm.Model) -> None:
        self._model = model

    def __call__(self, messages: Messages, **parameters: JsonValue) -> ModelReply:
        response = self._model.prompt(**_request(messages), stream=False, options=_options(self._model, parameters))
        return _reply(response, response.text())


class _LlmAsync:
    def __init__(self, model: llm.AsyncModel) -> None:
        self._model = model

    async def __call__(self, messages: Messages, **parameters: JsonValue) -> ModelReply:
        response = self._model.prompt(**_request(messages), stream=False, options=_options(self._model, parameters))
        return _reply(response, await response.text())


def _request(messages: Messages) -> dict[str, Any]:
    # Plugins written before `llm` had message lists read only `prompt` and `system`: use these where they suffice.
    match messages:
        case [{"role": "user", "content": prompt}]:
            return {"prompt": prompt}
        case [{"role": "system", "content": system}, {"role": "user", "content": prompt}]:
            return {"prompt": prompt, "system": system}
        case _:
            return {"messages": [_message(**message) for message in messages]}


def _options(model: llm.Model | llm.AsyncModel, parameters: dict[str, JsonValue]) -> dict[str, JsonValue]:
    try:
        model.Options.model_validate(parameters)
    except ValidationError as error:
        where, what = first_problem(error)
        names = ", ".join(model.Options.model_fields) or "none"
        wrong = ": ".join(["parameter", *dotted(where), what])
        raise UsageError(f"llm model {model.model_id}: {wrong}; its parameters are {names}") from error
    return parameters


def _message(role: str, content: str) -> llm.Message:
    if role not in _ROLES:
        raise UsageError(f"llm has no message role {role!r}; it has {', '.join(_ROLES)}")
    return _ROLES[role](content)


def _reply(response: llm.Response | llm.AsyncResponse, text: str) -> ModelReply:
    return ModelReply(text, finish_reason=_finish_reason(response.response_json), model=response.resolved_model)


def _finish_reason(answer: dict[str, Any] | None) -> str | None:
    """Read it where chat completions have it; `llm` has no field of its own for it."""
    match answer:
        case {"finish_reason": str(reason)} | {"choices": [{"finish_reason": str(reason)}, *_]}:
            return reason
        case _:
            return None
