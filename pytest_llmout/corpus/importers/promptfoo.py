"""promptfoo results: JSON of versions 2 and 3, and JSON Lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_llmout.corpus.importers.fields import (
    FAILED,
    at,
    first,
    has,
    messages_of,
    model_of,
    moment,
    parsed,
    stored_text,
    word,
)
from pytest_llmout.corpus.importers.importer import Draft, Skipped
from pytest_llmout.corpus.importers.openai_reply import REFUSAL, TOOL_CALLS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from pytest_llmout.corpus.importers.source import Fields, Peek, Source

_CALLS = ("function", "function_call", "tool_use")
_TIME = ("results", "timestamp")
_DOCUMENT = (_TIME, ("results", "results", "*"))
_LINES = (("*",),)


def detect(peek: Peek) -> bool:
    """Return whether the document holds results of an evaluation, or the first line one result."""
    return at(peek.first, "results", "results") is not None or _is_result(peek.first)


def read(source: Source) -> Iterator[Draft | Skipped]:
    """Yield a reply for each test case, prompt and provider."""
    time = None
    for entry in source.entries(*(_LINES if _is_result(source.peek().first) else _DOCUMENT)):
        if isinstance(entry, Skipped):
            yield entry
        elif entry.path == _TIME:
            time = moment(entry.value)
        else:
            yield _reply(entry.where, entry.value, time)


def _is_result(value: Any) -> bool:  # noqa: ANN401  JSON
    return has(value, "promptIdx", "testIdx", "provider")


def _reply(where: str, result: Any, time: datetime | None) -> Draft | Skipped:  # noqa: ANN401  JSON
    response = at(result, "response")
    if at(response, "output") is None:
        return Skipped(where, FAILED)
    provider = word(first(at(result, "provider"), "id", "label")) or word(at(result, "provider"))
    fields = {
        "id": word(at(result, "id")),
        "messages": messages_of(parsed(at(result, "prompt", "raw"))),
        "model": model_of(provider),
        "parameters": at(result, "prompt", "config"),
        "time": moment(first(result, "createdAt", "timestamp")) or time,
    }
    return Draft(where, fields | _text(response))


def _text(response: Any) -> Fields:  # noqa: ANN401  JSON
    output, finish = at(response, "output"), word(first(response, "finishReason", "finish_reason"))
    if isinstance(output, list) and output and all(at(part, "type") in _CALLS for part in output):
        return {"raw": "", "finish_reason": TOOL_CALLS, "fidelity": "likely"}  # the calls stand in place of a text
    raw, exact = stored_text(output)
    refused = at(response, "isRefusal") is True
    return {
        "raw": raw,
        "finish_reason": REFUSAL if refused else finish,
        "fidelity": "likely" if exact else "lossy",
    }
