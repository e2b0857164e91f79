"""Chatbot Arena: conversations of one model (LMSYS-Chat) or battles of two."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_llmout.corpus.importers.fields import NO_REPLY, at, first, messages_of, model_of, moment, word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_llmout.corpus.importers.importer import Draft, Skipped
    from pytest_llmout.corpus.importers.source import Fields, Peek, Source

_SIDES = ("", "_a", "_b")


def detect(peek: Peek) -> bool:
    """Return whether the first entry holds a model and its conversation, or two of each."""
    return any(at(peek.first, f"conversation{side}", 0, "role") is not None for side in _SIDES)


def read(source: Source) -> Iterator[Draft | Skipped]:
    """Yield a reply for each turn of each model, behind the turns before it."""
    return source.mapped(_replies)


def _replies(entry: Any) -> Iterator[Fields | str]:  # noqa: ANN401  JSON
    found = False
    name = word(first(entry, "question_id", "conversation_id", "id"))
    time = moment(first(entry, "tstamp", "timestamp"))
    for side in _SIDES:
        messages = messages_of(at(entry, f"conversation{side}")) or []
        for place, message in enumerate(messages):
            if message["role"] != "assistant":
                continue
            found = True
            yield {
                "prompt_id": None if name is None else f"{name}/{place}",
                "messages": messages[:place],
                "model": model_of(at(entry, f"model{side}")),
                "raw": message["content"],
                "time": time,
                "fidelity": "likely",
            }
    if not found:
        yield NO_REPLY
