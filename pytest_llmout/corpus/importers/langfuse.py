"""Langfuse exports: observations as JSON from the page, a trace as JSON, JSON Lines from blob storage."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_llmout.corpus.importers.fields import (
    ERROR,
    FAILED,
    NO_REPLY,
    at,
    first,
    messages_of,
    model_of,
    moment,
    parsed,
    stored_text,
    word,
)
from pytest_llmout.corpus.importers.openai_reply import replies_of, reply_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_llmout.corpus.importers.importer import Draft, Skipped
    from pytest_llmout.corpus.importers.source import Fields, Peek, Source

_NOT_A_CALL = "not a call of a model"


def detect(peek: Peek) -> bool:
    """Return whether the first entry is an observation, or a trace with its observations."""
    return _is_observation(peek.first) or _is_observation(at(peek.first, "observations", 0))


def read(source: Source) -> Iterator[Draft | Skipped]:
    """Yield a reply for each generation; what else was observed is skipped."""
    of_trace = not _is_observation(source.peek().first)
    return source.mapped(_replies, ("observations", "*") if of_trace else ("*",))


def _is_observation(value: Any) -> bool:  # noqa: ANN401  JSON
    return word(at(value, "type")) is not None and first(value, "traceId", "trace_id") is not None


def _replies(observation: Any) -> Iterator[Fields | str]:  # noqa: ANN401  JSON
    if at(observation, "type") != "GENERATION":
        yield _NOT_A_CALL
        return
    failed = at(observation, "level") == "ERROR"
    if at(observation, "output") in (None, ""):
        yield FAILED if failed else NO_REPLY
        return
    reply = _reply(at(observation, "output"))
    asked = parsed(at(observation, "input"))
    yield {
        "id": word(at(observation, "id")),
        "messages": messages_of(at(asked, "messages") or asked),
        "model": model_of(first(observation, "providedModelName", "provided_model_name", "model")),
        "parameters": parsed(first(observation, "modelParameters", "model_parameters")) or None,
        "time": moment(first(observation, "startTime", "start_time")),
        "family": word(first(observation, "promptName", "prompt_name")),
        **reply,
        "finish_reason": reply["finish_reason"] or (ERROR if failed else None),
    }


def _reply(output: Any) -> Fields:  # noqa: ANN401  JSON
    # A string column holds the text itself or a stored message; only what looks like a message is taken for one.
    stored = parsed(output)
    for body in replies_of(stored):
        return {"raw": body["raw"], "finish_reason": body["finish_reason"], "fidelity": "likely"}
    message = at(stored, -1) if isinstance(stored, list) else stored
    if at(message, "role") is not None:
        return {**reply_of(message, finish=word(at(message, "finish_reason"))), "fidelity": "likely"}
    raw, exact = stored_text(output)
    return {"raw": raw, "finish_reason": None, "fidelity": "likely" if exact else "lossy"}
