"""Putting what has no order of its own, the keys of mappings and the items of sets, into one order."""

from __future__ import annotations

import json
from collections import deque
from dataclasses import is_dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from pydantic_core import to_json

from pytest_llmout.outputs.json_changed import Numeral, Unordered

if TYPE_CHECKING:
    from collections.abc import Collection

_SCALARS = frozenset((bool, float, int, str, type(None)))


def ordered_json(tree: Any) -> bytes:  # noqa: ANN401  any JSON value
    """Write a value compactly, the keys of every object in the order of their code points."""
    return json.dumps(tree, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()


def is_in_order(value: Any) -> bool:  # noqa: ANN401  any value of a schema whose mappings have strings for keys
    """Say whether the keys of all mappings within a value are in order; where that cannot be seen, they are not."""
    kind = type(value)
    if kind is dict:
        keys = list(value)
        return keys == sorted(keys) and _are_in_order(value.values())
    if kind is list or kind is tuple:
        return _are_in_order(value)
    if hasattr(kind, "__pydantic_extra__"):  # asking whether it is a BaseModel would take ten times as long
        extra = value.__pydantic_extra__
        return _are_in_order(vars(value).values()) and (not extra or is_in_order(extra))
    return not is_dataclass(value)


def marked(tree: Any, dumped: Any) -> Any:  # noqa: ANN401  a JSON value, and the same as pydantic dumps it to Python
    """Sort the items of sets in a dump, and mark them and the numbers that JSON can only hold as strings.

    Raises:
        ValueError: Two keys of a mapping are the same key in JSON.
    """
    match tree, dumped:
        case dict(), dict():
            pairs = zip(tree.items(), dumped.values(), strict=True)
            return {key: marked(inner, item) for (key, inner), item in pairs}
        case list(), set() | frozenset():
            return Unordered(sorted(map(marked, tree, dumped), key=_rank))
        case list(), list() | tuple() | deque():
            return list(map(marked, tree, dumped))
        case str(), Decimal():
            return Numeral(tree)
        case _:
            return tree


def _are_in_order(values: Collection[Any]) -> bool:
    # Most are scalars, and a call for each of them would cost more than all the rest.
    return _SCALARS.issuperset(map(type, values)) or all(map(is_in_order, values))


def _rank(item: Any) -> tuple[bool, float, bytes]:  # noqa: ANN401  any JSON value
    is_number = type(item) in {int, float}
    return not is_number, item if is_number else 0, to_json(item)
