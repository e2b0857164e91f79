"""`changed` is true if something that was sent was dropped or altered, and false if only its spelling was."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pytest_llmout.conformance.case import Problem
from pytest_llmout.outputs.json_changed import Numeral, Unordered, is_kept

if TYPE_CHECKING:
    from pytest_llmout.conformance.output_case import OutputCase

_NO_JSON, _TWICE = object(), object()
_FENCES = ("```", "~~~")


def check(case: OutputCase) -> Problem | None:
    """Compare what was sent with the canonical text, as JSON if both are."""
    if case.ok is None:
        return None
    raw, canonical = case.reply.raw, case.ok.canonical
    sent, got = _tree(_without_frame(raw) if case.reply.is_valid else raw), _tree(canonical)
    is_json = (sent is _TWICE or isinstance(sent, dict | list)) and got not in (_NO_JSON, _TWICE)
    is_same = is_kept(sent, got) if is_json else canonical == raw
    if is_json and is_kept(sent, _loosened(got)) is not is_same:
        return None  # a set has no order, and a decimal is written as a string: the type alone knows
    if (is_json or is_same) and case.ok.changed is is_same:
        return Problem(f"changed={not is_same}", f"changed={case.ok.changed}")
    return None


def _loosened(tree: Any) -> Any:  # noqa: ANN401  any JSON value
    """Take every array for a set, and every string for a number that JSON cannot hold."""
    match tree:
        case dict():
            return {key: _loosened(item) for key, item in tree.items()}
        case list():
            return Unordered(map(_loosened, tree))
        case str():
            return Numeral(tree)
        case _:
            return tree


def _without_frame(raw: str) -> str:
    """Return what stands within a fence or behind a byte order mark."""
    text = raw.removeprefix("\ufeff").strip()
    if not text.startswith(_FENCES):
        return text
    _, _, body = text.partition("\n")
    return body[:-3] if body.endswith(_FENCES) else body


def _tree(text: str) -> Any:  # noqa: ANN401  any JSON value
    """Return what a text says as JSON; of what says a key twice, only that."""

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(items)) < len(items):
            raise _TwiceError
        return dict(items)

    try:
        return json.loads(text, object_pairs_hook=pairs)
    except _TwiceError:
        return _TWICE
    except (ValueError, RecursionError):
        return _NO_JSON


class _TwiceError(Exception):
    pass
