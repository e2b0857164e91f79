"""Reading JSON as RFC 8259 writes it, without losing a digit unnoticed."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from pydantic_core import from_json, to_json

from pytest_llmout.contract import Failure, FailureKind
from pytest_llmout.outputs.json_syntax import explain_syntax

WHITE_SPACE = b" \t\n\r"
"""What may stand between the tokens of JSON."""

# Stands for every number that is not zero but nearer to it than any double.
_TINY = Decimal("1e-999999")


@dataclass(frozen=True, slots=True)
class JsonText:
    """A text that is valid JSON, and everything it says."""

    tree: Any
    """The value in Python's types; where `exact` is false, a number with a fraction or exponent is a `Decimal`."""
    compact: bytes
    """The value written again without white space, the last of duplicate keys kept."""
    exact: bool
    """Whether `compact` differs from the text in white space alone."""
    duplicate_keys: bool


class _NumberOutOfRangeError(ValueError):
    """A number of the text overflows a double."""


def read_json(text: str) -> JsonText | Failure:
    """Read one JSON value that fills the whole text."""
    try:
        tree = from_json(text, allow_inf_nan=False)
    except ValueError as error:
        return explain_syntax(text, str(error))
    except TypeError:  # pydantic-core's word for a str that has no UTF-8 form
        return _syntax("lone_surrogate", "the text holds half of a surrogate pair, which stands for no character")
    compact = to_json(tree)
    if text.encode().translate(None, WHITE_SPACE) == compact.translate(None, b" "):
        return JsonText(tree, compact, exact=True, duplicate_keys=False)
    return _read_exactly(text, compact)


def _read_exactly(text: str, compact: bytes) -> JsonText | Failure:
    duplicate_keys = False

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal duplicate_keys
        found = dict(pairs)
        duplicate_keys |= len(found) < len(pairs)
        return found

    try:
        tree = json.loads(text, object_pairs_hook=members, parse_float=_number)
    except _NumberOutOfRangeError as error:
        return _syntax("number_out_of_range", f"the number {error} is too large for a double")
    return JsonText(tree, compact, exact=False, duplicate_keys=duplicate_keys)


def _number(literal: str) -> Decimal:
    if math.isinf(float(literal)):
        raise _NumberOutOfRangeError(literal[:40])
    try:
        return Decimal(literal)
    except InvalidOperation:  # an exponent beyond what Decimal holds; it is not a large one, so the number is near zero
        mantissa = literal.lower().partition("e")[0]
        return _TINY if mantissa.strip("-0.") else Decimal(0)


def _syntax(reason: str, observed: str) -> Failure:
    return Failure(FailureKind.SYNTAX, f"not valid JSON: {observed}", reason)
