"""OpenTelemetry GenAI spans and log events as OTLP JSON."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from pytest_llmout.corpus.importers.fields import (
    FAILED,
    at,
    first,
    has,
    messages_of,
    model_of,
    moment,
    objects,
    parsed,
    text_of,
    word,
)
from pytest_llmout.corpus.importers.importer import Draft, Skipped
from pytest_llmout.corpus.importers.openai_reply import reply_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_llmout.corpus.importers.source import Fields, Peek, Source

_NOT_A_CALL = "no text of a model in it (was its content captured?)"
_OPEN_SPANS = 10_000
_PATHS = (
    ("resourceSpans", "*", "scopeSpans", "*", "spans", "*"),
    ("resourceLogs", "*", "scopeLogs", "*", "logRecords", "*"),
)


def detect(peek: Peek) -> bool:
    """Return whether the document, or the first line, is an export of spans or of log records."""
    return first(peek.first, "resourceSpans", "resourceLogs") is not None


def read(source: Source) -> Iterator[Draft | Skipped]:
    """Yield a reply for each output message of a span or of an event; other telemetry is skipped."""
    prompts = _Prompts()
    for entry in source.entries(*_PATHS):
        if isinstance(entry, Skipped):
            yield entry
            continue
        replies = list(_replies(entry.value, prompts))
        for reply in replies:
            yield Draft(entry.where, reply)
        if not replies and not prompts.took(entry.value):
            yield Skipped(entry.where, FAILED if _failed(entry.value) else _NOT_A_CALL)


class _Prompts:
    """The messages of calls whose answer is still to come: older conventions write an event for each message."""

    def __init__(self) -> None:
        self._open: OrderedDict[str, list[Fields]] = OrderedDict()

    def took(self, record: Any) -> bool:  # noqa: ANN401  JSON
        """Keep the message of an event, and say whether it was one; of too many calls the oldest is forgotten."""
        kind = _kind(record)
        if not kind.startswith("gen_ai.") or not kind.endswith(".message"):
            return False
        body = _value(at(record, "body"))
        message = {"role": kind.split(".")[1], "content": at(body, "content")}
        self._open.setdefault(_span(record), []).append(message)
        if len(self._open) > _OPEN_SPANS:
            self._open.popitem(last=False)
        return True

    def of(self, record: Any) -> list[Fields] | None:  # noqa: ANN401  JSON
        """Return the messages before an answer."""
        return self._open.get(_span(record))


def _replies(record: Any, prompts: _Prompts) -> Iterator[Fields]:  # noqa: ANN401  JSON
    told = _attributes(at(record, "attributes"))
    body = _value(at(record, "body"))
    told |= body if isinstance(body, dict) else {}
    shared = {
        "model": model_of(
            first(told, "gen_ai.response.model", "gen_ai.request.model"),
            requested=told.get("gen_ai.request.model"),
            provider=first(told, "gen_ai.provider.name", "gen_ai.system"),
        ),
        "parameters": _parameters(told),
        "time": moment(word(first(record, "startTimeUnixNano", "timeUnixNano", "observedTimeUnixNano"))),
        "source_ref": _span(record) or None,
        "fidelity": "exact",
    }
    if _kind(record) == "gen_ai.choice":
        message = at(body, "message") or body
        finish = word(at(body, "finish_reason"))
        yield {**shared, "messages": messages_of(prompts.of(record)), **reply_of(message, finish=finish)}
        return
    asked = [*_list(told.get("gen_ai.system_instructions")), *_list(told.get("gen_ai.input.messages"))]
    messages = [_message(message) for message in asked]
    for message in _list(told.get("gen_ai.output.messages")):
        plain = _message(message)
        yield {
            **shared,
            "messages": messages_of(messages),
            **reply_of(plain, finish=word(at(message, "finish_reason"))),
        }


def _failed(record: Any) -> bool:  # noqa: ANN401  JSON
    told = _attributes(at(record, "attributes"))
    return "error.type" in told and any(name.startswith("gen_ai.") for name in told)


def _message(message: Any) -> Fields:  # noqa: ANN401  JSON
    """Return a message of the conventions, which is a role and parts; a system instruction is a part alone.

    A message that ended by itself and has no part at all is one whose text was not written down, such as a refusal.
    """
    parts = objects(at(message, "parts") if has(message, "parts") else [message])
    texts = [text_of(part) for part in parts if at(part, "type") == "text"]
    calls = any(at(part, "type") == "tool_call" for part in parts)
    lost = not parts and word(at(message, "finish_reason")) in (None, "stop")
    content = None if lost else "".join(filter(None, texts))
    return {"role": word(at(message, "role")) or "system", "content": content, "tool_calls": calls}


def _parameters(told: Fields) -> Fields | None:
    known = ("temperature", "top_p", "top_k", "max_tokens", "seed", "frequency_penalty", "presence_penalty")
    return {name: told[f"gen_ai.request.{name}"] for name in known if f"gen_ai.request.{name}" in told} or None


def _list(value: Any) -> list[Any]:  # noqa: ANN401  JSON
    """Return messages, which stand as structured values or as JSON in a string."""
    found = parsed(value)
    return found if isinstance(found, list) else []


def _kind(record: Any) -> str:  # noqa: ANN401  JSON
    return word(at(record, "eventName")) or word(_attributes(at(record, "attributes")).get("event.name")) or ""


def _span(record: Any) -> str:  # noqa: ANN401  JSON
    return "/".join(filter(None, [word(at(record, "traceId")), word(at(record, "spanId"))]))


def _attributes(pairs: Any) -> Fields:  # noqa: ANN401  JSON
    return {str(pair.get("key")): _value(pair.get("value")) for pair in objects(pairs)}


def _value(wrapped: Any) -> Any:  # noqa: ANN401  JSON
    match wrapped:
        case {"stringValue": value} | {"boolValue": value} | {"doubleValue": value}:
            return value
        case {"intValue": value}:  # 64-bit integers are strings in the JSON form of protobuf
            return int(value) if str(value).lstrip("-").isdecimal() and len(str(value)) < 20 else value  # noqa: PLR2004
        case {"arrayValue": inner}:
            return [_value(value) for value in objects(at(inner, "values"))]
        case {"kvlistValue": inner}:
            return _attributes(at(inner, "values"))
        case _:
            return None
