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

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_llmout.corpus.importers.importer import Draft, Skipped
    from pytest_llmout.corpus.importers.source import Fields, Peek, Source


def detect(peek: Peek) -> bool:
    """Return whether the document holds results of an evaluation, or the first line one result."""
    return at(peek.first, "results", "results") is not None or _is_result(peek.first)


def read(source: Source) -> Iterator[Draft | Skipped]:
    """Yield a reply for each test case, prompt and provider."""
    one_a_line = _is_result(source.peek().first)
    return source.mapped(_replies, ("*",) if one_a_line else ("results", "results", "*"))


def _is_result(value: Any) -> bool:  # noqa: ANN401  JSON
    return has(value, "promptIdx", "testIdx", "provider")


def _replies(result: Any) -> Iterator[Fields | str]:  # noqa: ANN401  JSON
    response = at(result, "response")
    output = at(response, "output")
    if output is None:
        yield FAILED
        return
    raw, exact = stored_text(output)
    provider = word(first(at(result, "provider"), "id", "label")) or word(at(result, "provider"))
    yield {
        "id": word(at(result, "id")),
        "messages": messages_of(parsed(at(result, "prompt", "raw"))),
        "model": model_of(provider),
        "parameters": at(result, "prompt", "config"),
        "raw": raw,
        "finish_reason": word(first(response, "finishReason", "finish_reason")),
        "time": moment(first(result, "createdAt", "timestamp")),
        "fidelity": "likely" if exact else "lossy",
    }
