"""The replies in what OpenAI's two interfaces answer, which many programs store as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_llmout.corpus.importers.fields import at, model_of, moment, objects, text_of, word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_llmout.corpus.importers.source import Fields

REFUSAL = "refusal"
TOOL_CALLS = "tool_calls"


def replies_of(body: Any) -> Iterator[Fields]:  # noqa: ANN401  JSON
    """Yield the replies of a chat completion (one for each choice) or of a response; nothing for any other value."""
    shared = {"model": model_of(at(body, "model")), "time": moment(at(body, "created") or at(body, "created_at"))}
    for number, choice in enumerate(objects(at(body, "choices"))):
        message = at(choice, "message")
        several = {"sample": number} if len(body["choices"]) > 1 else {}
        yield {**shared, **several, **reply_of(message, finish=word(at(choice, "finish_reason")))}
    if isinstance(at(body, "output"), list):
        yield {**shared, **_response(body)}


def reply_of(message: Any, *, finish: str | None = None) -> Fields:  # noqa: ANN401  JSON
    """Return the text of an assistant's message and why it ended: a refusal and a bare tool call say so themselves."""
    text = text_of(at(message, "content"))
    refusal = at(message, "refusal")
    if not text and isinstance(refusal, str) and refusal:
        return {"raw": refusal, "finish_reason": REFUSAL}
    if not text and (at(message, "tool_calls") or at(message, "function_call")):
        return {"raw": "", "finish_reason": TOOL_CALLS if finish in (None, "stop") else finish}
    return {"raw": text, "finish_reason": finish}


def _response(body: Any) -> Fields:  # noqa: ANN401  JSON
    items = objects(at(body, "output"))
    parts = [part for item in items if item.get("type") == "message" for part in objects(item.get("content"))]
    text = "".join(part["text"] for part in parts if isinstance(part.get("text"), str))
    refusal = "".join(part["refusal"] for part in parts if isinstance(part.get("refusal"), str))
    calls = any(str(item.get("type")).endswith("_call") for item in items) and not parts
    told = TOOL_CALLS if calls else REFUSAL if refusal and not text else word(at(body, "status"))
    return {"raw": text or refusal, "finish_reason": word(at(body, "incomplete_details", "reason")) or told}
