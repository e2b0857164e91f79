"""Whether a value still says everything that a model sent."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable

_NUMBERS = (int, float, Decimal)


class Unordered(list[Any]):
    """The items of a set, which JSON can only write in some order."""


class Numeral(str):
    """A number that JSON can only hold as a string, since it may be no double."""

    __slots__ = ()


def is_kept(sent: Any, got: Any) -> bool:  # noqa: ANN401  any JSON value
    """Say whether `got` holds all of `sent`: every key, every item, every scalar as the type it was.

    Numbers are compared exactly, by the shortest decimal that stands for a double, so `1.0` is kept by `1` but
    9007199254740993 is not kept by its nearest double. Keys that only `got` has (defaults) do not count, nor does the
    order of what is marked `Unordered` in `got`; a `Numeral` keeps its number and itself.
    """
    kind = type(sent)
    if kind is not type(got):
        return _is_kept_otherwise(sent, got)
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


def _is_kept_otherwise(sent: Any, got: Any) -> bool:  # noqa: ANN401  any JSON value
    match sent, got:
        case bool(), _:
            return False
        case list(), Unordered():
            said = _identities(sent, _exact)
            return said in (_identities(got, _exact), _identities(got, str))
        case str(), Numeral():
            return sent == str(got)
        case int() | float() | Decimal(), int() | float() | Decimal() | Numeral() if type(got) is not bool:
            return _exact(sent) == _exact(got)
        case _:
            return False


def _identities(items: list[Any], numeral: Callable[[Numeral], Hashable]) -> Counter[Hashable]:
    """Return what two sets share if and only if one keeps the other, a numeral taken for its number or for itself."""
    return Counter(_identity(item, numeral) for item in items)


def _identity(item: Any, numeral: Callable[[Numeral], Hashable]) -> Hashable:  # noqa: ANN401  any JSON value
    match item:
        case bool() | None:
            return item, bool
        case Numeral():
            return numeral(item)
        case int() | float() | Decimal():
            return _exact(item)
        case list():
            return frozenset(_identities(item, numeral).items())
        case str() as text:
            return text
        case _:
            return None


def _exact(number: float | Decimal | Numeral) -> Decimal | None:
    try:
        return Decimal(repr(number)) if isinstance(number, float) else Decimal(number)
    except InvalidOperation:
        return None
