"""What `llm logs --json` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_llmout.corpus.importers.fields import at, has, model_of, moment, parsed, word
from pytest_llmout.corpus.importers.openai_reply import TOOL_CALLS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_llmout.corpus.importers.importer import Draft, Skipped
    from pytest_llmout.corpus.importers.source import Fields, Peek, Source


def detect(peek: Peek) -> bool:
    """Return whether the first entry is a logged response."""
    return has(peek.first, "model", "prompt", "response", "conversation_id", "datetime_utc")


def read(source: Source) -> Iterator[Draft | Skipped]:
    """Yield a reply for each logged response. Of a conversation, llm prints only the last prompt with each."""
    return source.mapped(_replies)


def _replies(row: Any) -> Iterator[Fields]:  # noqa: ANN401  JSON
    yield reply_of_row(row, tools=bool(at(row, "tool_calls")))


def reply_of_row(row: Any, *, tools: bool = False, before: list[dict[str, str]] | None = None) -> Fields:  # noqa: ANN401
    """Return the reply in a row of the `responses` table, or in what is printed for it."""
    asked = [
        ("system", at(row, "system")),
        *((m["role"], m["content"]) for m in before or []),
        ("user", at(row, "prompt")),
    ]
    schema = parsed(at(row, "schema_json"))
    return {
        "id": word(at(row, "id")),
        "messages": [{"role": role, "content": text} for role, text in asked if text],
        "model": model_of(at(row, "resolved_model") or at(row, "model"), requested=at(row, "model")),
        "parameters": parsed(at(row, "options_json")) or None,
        "raw": at(row, "response"),
        "finish_reason": finish_of(at(row, "response_json"))
        or (TOOL_CALLS if tools and not at(row, "response") else None),
        "output": {"type": "json", "schema": schema} if schema else None,
        "time": moment(at(row, "datetime_utc")),
        "source": "llm",
        "fidelity": "exact",
    }


def finish_of(answer: Any) -> str | None:  # noqa: ANN401  JSON
    """Return why the model stopped, out of what its provider answered, whichever it was."""
    body = parsed(answer)
    places = (("choices", 0, "finish_reason"), ("finish_reason",), ("stop_reason",), ("candidates", 0, "finishReason"))
    return next((found for place in places if (found := word(at(body, *place)))), None)
