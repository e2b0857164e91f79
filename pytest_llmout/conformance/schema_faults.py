"""Ways to break a reply that only its JSON Schema tells."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pytest_llmout.contract import FailureKind
from pytest_llmout.strategies import Fault

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_ABSENT = object()
_NO_MEMBER = "none of these"


def schema_faults(schema: dict[str, Any]) -> Iterator[Fault]:
    """Yield the faults of objects of this schema: a key missing, a value of another type or out of range."""
    required = schema.get("required", ())
    if required:
        yield Fault("no key at all", FailureKind.SCHEMA, "validation", lambda _: "{}")
    for key in required:
        yield _fault(f"without {key}", key, _ABSENT)
    for key, inner in schema.get("properties", {}).items():
        yield from (_fault(f"{name} for {key}", key, value) for name, value in _misfits(inner))


def _misfits(schema: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield values that do not fit, as far as the schema says so in one place."""
    match schema:
        case {"type": "integer" | "number" | "string" | "boolean"}:
            yield "an array", []
        case {"type": "array" | "object"}:
            yield "a number", 17
    match schema:
        case {"type": "integer" | "number", "maximum": int(most)}:
            yield "too much", most + 1
    match schema:
        case {"type": "integer" | "number", "minimum": int(least)}:
            yield "too little", least - 1
    match schema:
        case {"enum": [*members]} if _NO_MEMBER not in members:
            yield "another word", _NO_MEMBER


def _fault(name: str, key: str, value: object) -> Fault:
    return Fault(name, FailureKind.SCHEMA, "validation", _replacing(key, value))


def _replacing(key: str, value: object) -> Callable[[str], str | None]:
    def damage(reply: str) -> str | None:
        try:
            tree = json.loads(reply)
        except ValueError:
            return None
        if not isinstance(tree, dict) or (value is _ABSENT and key not in tree):
            return None
        kept = {other: tree[other] for other in tree if other != key}
        return json.dumps(kept if value is _ABSENT else {**kept, key: value})

    return damage
