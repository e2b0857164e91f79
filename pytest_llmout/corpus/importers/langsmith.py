"""LangSmith runs, as JSON or JSON Lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_llmout.corpus.importers.fields import (
    ERROR,
    FAILED,
    NO_REPLY,
    at,
    first,
    has,
    messages_of,
    model_of,
    moment,
    parsed,
    text_of,
    word,
)
from pytest_llmout.corpus.importers.openai_reply import replies_of, reply_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_llmout.corpus.importers.importer import Draft, Skipped
    from pytest_llmout.corpus.importers.source import Fields, Peek, Source

_NOT_A_CALL = "not a call of a model"
_ROLES = {"human": "user", "ai": "assistant", "HumanMessage": "user", "AIMessage": "assistant"} | {
    name: name.removesuffix("Message").lower() for name in ("SystemMessage", "ToolMessage", "FunctionMessage")
}


def detect(peek: Peek) -> bool:
    """Return whether the first entry is a run."""
    return has(peek.first, "run_type", "inputs")


def read(source: Source) -> Iterator[Draft | Skipped]:
    """Yield the replies of each run of a model; chains, tools and other runs are skipped."""
    return source.mapped(_replies)


def _replies(run: Any) -> Iterator[Fields | str]:  # noqa: ANN401  JSON
    if at(run, "run_type") != "llm":
        yield _NOT_A_CALL
        return
    extra, failed = parsed(at(run, "extra")), bool(at(run, "error"))
    metadata = at(extra, "metadata")
    settings = at(extra, "invocation_params") or at(metadata, "ls_invocation_params")
    name = first(settings, "model", "model_name") or at(metadata, "ls_model_name")
    # What arrived before a stream broke is a reply; a call that failed at once has an empty one.
    replies = [reply for reply in _of(parsed(at(run, "outputs"))) if reply["raw"] or not failed]
    for reply in replies:
        served = reply.pop("served", None)
        yield {
            "messages": _messages(parsed(at(run, "inputs"))),
            "time": moment(at(run, "start_time")),
            "parameters": settings,
            "source_ref": word(at(run, "id")),
            "fidelity": "likely",
            **reply,
            "finish_reason": reply["finish_reason"] or (ERROR if failed else None),
            "model": model_of(served or name, requested=name, provider=at(metadata, "ls_provider")),
        }
    if not replies:
        yield FAILED if failed else NO_REPLY


def _of(outputs: Any) -> Iterator[Fields]:  # noqa: ANN401  JSON
    batches = at(outputs, "generations")
    if isinstance(batches, list):
        for batch in batches:
            for generation in batch if isinstance(batch, list) else [batch]:
                yield _generation(generation)
        return
    bodies = list(replies_of(outputs))
    message = at(outputs, "messages", -1) or first(outputs, "message", "output") or outputs
    for body in bodies:
        yield {"raw": body["raw"], "finish_reason": body["finish_reason"], "served": at(body, "model", "name")}
    if bodies:
        return
    if isinstance(message, str):
        yield {"raw": message, "finish_reason": None}
    elif text_of(_body(message).get("content")) is not None or at(message, "tool_calls"):
        yield reply_of(_body(message), finish=word(at(message, "finish_reason")))


def _generation(generation: Any) -> Fields:  # noqa: ANN401  JSON
    message = _body(at(generation, "message")) or {"content": at(generation, "text")}
    told = {**_dict(at(message, "response_metadata")), **_dict(at(generation, "generation_info"))}
    refusal = at(message, "additional_kwargs", "refusal")
    reply = reply_of({"refusal": refusal, **message}, finish=word(first(told, "finish_reason", "stop_reason")))
    return {**reply, "served": first(told, "model_name", "model")}


def _messages(inputs: Any) -> list[dict[str, str]] | None:  # noqa: ANN401  JSON
    found = first(inputs, "messages", "prompts", "prompt", "input")
    batch = found[0] if isinstance(found, list) and found and isinstance(found[0], (list, str)) else found
    if not isinstance(batch, list):
        return messages_of(batch)
    return messages_of([{"role": _role(message), "content": _body(message).get("content")} for message in batch])


def _body(message: Any) -> dict[str, Any]:  # noqa: ANN401  JSON
    """Return the fields of a message, which LangChain may have wrapped as a constructor or as data."""
    return _dict(first(message, "kwargs", "data") or message)


def _role(message: Any) -> str:  # noqa: ANN401  JSON
    body = _body(message)
    name = word(body.get("role")) or word(at(message, "id", -1)) or word(body.get("type")) or word(at(message, "type"))
    return _ROLES.get(name or "", name or "user")


def _dict(value: Any) -> dict[str, Any]:  # noqa: ANN401  JSON
    return value if isinstance(value, dict) else {}
