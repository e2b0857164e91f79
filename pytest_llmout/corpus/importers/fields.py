"""Finding record fields in decoded JSON that may have any shape."""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

NO_REPLY = "no reply of a model in it"
OTHER_SHAPE = "not of the shape this format has"
FAILED = "the call failed"
ERROR = "error"
"""The finish reason of a reply that arrived in part before its call failed."""

_SECONDS_OF_YEAR_5000 = 1e11


def at(value: Any, *path: str | int) -> Any:  # noqa: ANN401  JSON
    """Return what stands at a path of keys and indices, or `None` if nothing does."""
    for step in path:
        match value, step:
            case dict(), str() if step in value:
                value = value[step]
            case list(), int() if -len(value) <= step < len(value):
                value = value[step]
            case _:
                return None
    return value


def has(value: Any, *names: str) -> bool:  # noqa: ANN401  JSON
    """Return whether a value is an object with all of these keys."""
    return isinstance(value, dict) and value.keys() >= set(names)


def model_of(name: Any, **more: Any) -> dict[str, Any] | None:  # noqa: ANN401  JSON
    """Return a record's model if it has a name; of `more`, what is no text or says the same is left out."""
    known = {key: value for key, value in more.items() if isinstance(value, str) and value and value != name}
    return {"name": name, **known} if isinstance(name, str) and name else None


def first(value: Any, *names: str) -> Any:  # noqa: ANN401  JSON
    """Return the first of several keys of an object that is there and not null."""
    return next((found for name in names if (found := at(value, name)) is not None), None)


def word(value: Any) -> str | None:  # noqa: ANN401  JSON
    """Return an identifier as text: a non-empty string, or a number in digits."""
    match value:
        case bool() | None | "":
            return None
        case str():
            return value
        case int() | float():
            return str(value)
        case _:
            return None


def text_of(content: Any) -> str | None:  # noqa: ANN401  JSON
    """Return the text of a message: a string, or the text parts of a list joined as they are.

    Thinking, tool calls, images and other parts hold no text of the reply. `None` if it is no message content at all.
    """
    match content:
        case str():
            return content
        case {"text": str(text)}:
            return text
        case {"type": "text", "content": str(text)}:
            return text
        case list():
            parts = [part for part in content if isinstance(part, str) or at(part, "type") in _TEXT_TYPES]
            return "".join(text_of(part) or "" for part in parts)
        case _:
            return None


_TEXT_TYPES = ("text", "output_text", "input_text", "refusal", None)


def messages_of(messages: Any, *, role: str = "role", content: str = "content") -> list[dict[str, str]] | None:  # noqa: ANN401
    """Return a conversation as record messages; `None` if it is none. Content that is not text is kept as JSON."""
    if isinstance(messages, str):
        return [{"role": "user", "content": messages}]
    if not isinstance(messages, list):
        return None
    return [
        {"role": word(at(message, role)) or "user", "content": _as_text(at(message, content))}
        for message in messages
        if isinstance(message, dict)
    ]


def _as_text(content: Any) -> str:  # noqa: ANN401  JSON
    text = text_of(content)
    if text or content is None or content == []:
        return text or ""
    return text if text is not None and not content else json.dumps(content)


def turns(
    messages: Iterable[dict[str, str]], *, model: str = "assistant"
) -> Iterable[tuple[list[dict[str, str]], str]]:
    """Yield each reply of a conversation behind the messages it answers."""
    so_far: list[dict[str, str]] = []
    for message in messages:
        if message["role"] == model:
            yield list(so_far), message["content"]
        so_far.append(message)


def objects(value: Any) -> list[dict[str, Any]]:  # noqa: ANN401  JSON
    """Return the objects in a list; nothing if it is no list."""
    return [part for part in value if isinstance(part, dict)] if isinstance(value, list) else []


def stored_text(value: Any) -> tuple[str, bool]:  # noqa: ANN401  JSON
    """Return a reply that was stored, and whether as text: a program that decoded JSON lost how it was written."""
    return (value, True) if isinstance(value, str) else (json.dumps(value, ensure_ascii=False), False)


def parsed(value: Any) -> Any:  # noqa: ANN401  JSON
    """Return JSON that was stored as a string; any other value, or a string that is no JSON, as it is."""
    if not isinstance(value, str) or value[:1] not in ("{", "[", '"'):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def moment(value: Any) -> datetime | None:  # noqa: ANN401  JSON
    """Return a point in time: ISO 8601, or seconds, milliseconds, microseconds or nanoseconds since 1970.

    Without an offset it is UTC. What cannot be read is `None`: a reply is not lost for its date.
    """
    try:
        match value:
            case datetime():
                time = value
            case bool():
                return None
            case int() | float():
                return _since_1970(float(value))
            case str() if value.isdecimal():
                return _since_1970(float(value))
            case str():
                time = datetime.fromisoformat(value)
            case _:
                return None
        return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        return None


def _since_1970(number: float) -> datetime | None:
    if not math.isfinite(number):
        return None
    while abs(number) > _SECONDS_OF_YEAR_5000:
        number /= 1000
    return datetime.fromtimestamp(number, UTC)
