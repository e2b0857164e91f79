"""Anthropic Message Batches results, a line each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_llmout.corpus.importers.fields import FAILED, at, has, model_of, text_of, word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_llmout.corpus.importers.importer import Draft, Skipped
    from pytest_llmout.corpus.importers.source import Fields, Peek, Source


def detect(peek: Peek) -> bool:
    """Return whether the first line holds the result of a request of a batch."""
    return has(peek.first, "custom_id", "result")


def read(source: Source) -> Iterator[Draft | Skipped]:
    """Yield a reply for each result that succeeded; the text blocks of a message are joined as they are."""
    return source.mapped(_replies)


def _replies(line: Any) -> Iterator[Fields | str]:  # noqa: ANN401  JSON
    result = at(line, "result")
    if at(result, "type") != "succeeded":
        yield FAILED
        return
    message = at(result, "message")
    yield {
        "prompt_id": word(at(line, "custom_id")),
        "model": model_of(at(message, "model"), provider="anthropic"),
        "raw": text_of(at(message, "content")),
        "finish_reason": word(at(message, "stop_reason")),
        "fidelity": "exact",
    }
