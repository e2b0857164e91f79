"""LiteLLM's standard logging payload, a line for each call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_llmout.corpus.importers.fields import FAILED, at, has, messages_of, model_of, moment, word
from pytest_llmout.corpus.importers.openai_reply import replies_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_llmout.corpus.importers.importer import Draft, Skipped
    from pytest_llmout.corpus.importers.source import Fields, Peek, Source


def detect(peek: Peek) -> bool:
    """Return whether the first entry is the payload of a call."""
    return has(peek.first, "call_type", "model_parameters", "response", "messages")


def read(source: Source) -> Iterator[Draft | Skipped]:
    """Yield a reply for each choice of each call that succeeded."""
    return source.mapped(_replies)


def _replies(call: Any) -> Iterator[Fields | str]:  # noqa: ANN401  JSON
    response = at(call, "response")
    replies = [{"raw": response}] if isinstance(response, str) else list(replies_of(response))
    if at(call, "status") == "failure" or not replies:
        yield FAILED
        return
    for reply in replies:
        served = at(response, "model") or at(call, "model")
        yield {
            **reply,
            "messages": messages_of(at(call, "messages")),
            "model": model_of(served, requested=at(call, "model"), provider=at(call, "custom_llm_provider")),
            "parameters": at(call, "model_parameters"),
            "time": moment(at(call, "startTime")),
            "source_ref": word(at(call, "id")),
            "fidelity": "exact",
        }
