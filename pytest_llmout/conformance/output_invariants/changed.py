"""`changed` is true if something that was sent was dropped or altered, and false if only its spelling was."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pytest_llmout.conformance.case import Problem
from pytest_llmout.outputs.json_changed import Numeral, Unordered, is_kept

if TYPE_CHECKING:
    from pytest_llmout.conformance.output_case import OutputCase

_NO_JSON = object()


def check(case: OutputCase) -> Problem | None:
    """Compare what was sent with the canonical text, as JSON if both are."""
    if case.ok is None:
        return None
    sent, got = _tree(case.reply.raw), _tree(case.ok.canonical)
    is_json = isinstance(sent, dict | list) and got is not _NO_JSON
    is_same = is_kept(sent, got) if is_json else case.ok.canonical == case.reply.raw
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


def _tree(text: str) -> Any:  # noqa: ANN401  any JSON value
    """Return what a text says as JSON; nothing if it says a key twice."""

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(items)) < len(items):
            raise ValueError("a key twice")
        return dict(items)

    try:
        return json.loads(text, object_pairs_hook=pairs)
    except (ValueError, RecursionError):
        return _NO_JSON
