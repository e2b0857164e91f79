"""Conversations as `messages` of a role and a content: JSON Lines, JSON or Parquet, as on Hugging Face."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_llmout.corpus.importers.fields import NO_REPLY, at, first, messages_of, model_of, objects, word
from pytest_llmout.corpus.importers.openai_reply import reply_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_llmout.corpus.importers.importer import Draft, Skipped
    from pytest_llmout.corpus.importers.source import Fields, Peek, Source

_OF_OTHER_FORMATS = {"raw", "response", "output", "standard_logging_object", "completion_start_time", "eval"}


def detect(peek: Peek) -> bool:
    """Return whether the first entry is a conversation and nothing more particular."""
    message = at(peek.first, "messages", 0)
    return at(message, "role") is not None and not peek.first.keys() & _OF_OTHER_FORMATS


def read(source: Source) -> Iterator[Draft | Skipped]:
    """Yield a reply for each message of the assistant, behind the messages before it."""
    return source.mapped(_replies)


def _replies(entry: Any) -> Iterator[Fields | str]:  # noqa: ANN401  JSON
    conversation = objects(at(entry, "messages"))
    places = [place for place, message in enumerate(conversation) if message.get("role") == "assistant"]
    name = word(first(entry, "prompt_id", "id", "conversation_id"))
    for place in places:
        yield {
            "prompt_id": name if len(places) == 1 or name is None else f"{name}/{place}",
            "messages": messages_of(conversation[:place]),
            "model": model_of(first(entry, "model", "generator")),
            "fidelity": "likely",
            **reply_of(conversation[place]),
        }
    if not places:
        yield NO_REPLY
