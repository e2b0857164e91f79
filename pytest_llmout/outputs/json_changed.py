"""Whether a value still says everything that a model sent."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

_NUMBERS = (int, float, Decimal)


def is_kept(sent: Any, got: Any) -> bool:  # noqa: ANN401  any JSON value
    """Say whether `got` holds all of `sent`: every key, every item, every scalar as the type it was.

    Numbers are compared exactly, by the shortest decimal that stands for a double, so `1.0` is kept by `1` but
    9007199254740993 is not kept by its nearest double. Keys that only `got` has (defaults) do not count.
    """
    kind = type(sent)
    if kind is not type(got):
        return kind in _NUMBERS and type(got) in _NUMBERS and _exact(sent) == _exact(got)
    if kind is dict:
        return _are_kept(sent.values(), map(got.get, sent)) and sent.keys() <= got.keys()
    if kind is list:
        return len(sent) == len(got) and _are_kept(sent, got)
    return bool(sent == got)


def _are_kept(sent: Iterable[Any], got: Iterable[Any]) -> bool:
    for one, other in zip(sent, got, strict=True):
        # Most are equal strings, and a call for each of them would cost more than all the rest.
        if not (type(one) is type(other) is str and one == other) and not is_kept(one, other):
            return False
    return True


def _exact(number: float | Decimal) -> Decimal:
    return Decimal(repr(number)) if isinstance(number, float) else Decimal(number)
