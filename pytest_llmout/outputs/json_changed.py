"""Whether a value still says everything that a model sent."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

_NUMBERS = (int, float, Decimal)


def is_kept(sent: Any, got: Any) -> bool:  # noqa: ANN401  any JSON value
    """Say whether `got` holds all of `sent`: every key, every item, every scalar as the type it was.

    Numbers are compared exactly, by the shortest decimal that stands for a double, so `1.0` is kept by `1` but
    9007199254740993 is not kept by its nearest double. Keys that only `got` has (defaults) do not count.
    """
    kind = type(sent)
    if kind is dict:
        return type(got) is dict and all(key in got and is_kept(value, got[key]) for key, value in sent.items())
    if kind is list:
        return type(got) is list and len(sent) == len(got) and all(map(is_kept, sent, got))
    if kind is type(got):
        return bool(sent == got)
    return kind in _NUMBERS and type(got) in _NUMBERS and _exact(sent) == _exact(got)


def _exact(number: float | Decimal) -> Decimal:
    return Decimal(repr(number)) if isinstance(number, float) else Decimal(number)
