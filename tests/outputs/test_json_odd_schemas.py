"""Schemas whose values JSON can write in several ways, or in none: what their canonical text is, and what `changed`."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from decimal import Decimal
from typing import Annotated, Any

import pytest
from generated_schemas import (
    Fixed,
    Lenient,
    Rights,
    Span,
    WithAllowedExtras,
    WithChoices,
    WithComputed,
    WithHex,
    WithMappingDefault,
)
from pydantic import AfterValidator, BaseModel, BeforeValidator, JsonValue, SecretStr

from pytest_llmout import Failure, Ok, UsageError, json_output
from pytest_llmout.outputs.json_changed import is_kept


class WithoutComparison(BaseModel):
    a: list[int]

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no comparison")

    __hash__ = None  # type: ignore[assignment]  # what Python sets, too


def or_nothing(sent: object) -> object:
    return None if sent == "n/a" else sent


def fail_at_three(number: int) -> int:
    if number == 3:
        raise OSError("no disk")
    return number


Row = tuple[Any, str, str, bool]
ROWS: dict[str, Row] = {
    "keys of a mapping": (dict[str, int], '{"b": 1, "a": 2}', '{"a":2,"b":1}', False),
    "keys within anything": (Any, '{"b": [{"d": 1, "c": 2}], "a": 2}', '{"a":2,"b":[{"c":2,"d":1}]}', False),
    "keys of a JSON value": (JsonValue, '{"b": {"d": 1, "c": 2}}', '{"b":{"c":2,"d":1}}', False),
    "keys that are numbers": (dict[int, int], '{"9": 1, "10": 2}', '{"10":2,"9":1}', False),
    "keys that fall together": (dict[int, int], '{"01": 1, "1": 2}', '{"1":2}', True),
    "extra keys after the model's": (WithAllowedExtras, '{"c": 1, "b": 2, "a": 3}', '{"a":3,"b":2,"c":1}', False),
    "extra keys of a typed dict": (Lenient, '{"c": 1, "b": 2, "a": 3}', '{"a":3,"b":2,"c":1}', False),
    "a default out of order": (
        WithMappingDefault,
        "{}",
        '{"weights":{"a":2,"b":1},"rest":{"d":{"e":2,"f":1}}}',
        False,
    ),
    "an order that means something": (OrderedDict[str, int], '{"b": 1, "a": 2}', '{"b":1,"a":2}', False),
    "a set": (set[int], "[10, 9, 1]", "[1,9,10]", False),
    "a set of tuples": (set[tuple[int, str]], '[[2, "a"], [1, "b"]]', '[[1,"b"],[2,"a"]]', False),
    "sets in a set": (frozenset[frozenset[int]], "[[2, 1], []]", "[[1,2],[]]", False),
    "an item twice": (set[int], "[1, 1]", "[1]", True),
    "an item in two types": (set[int], '["1", 2]', "[1,2]", True),
    "a set of models": (set[Fixed], '[{"a": 2, "b": 1}, {"a": 1, "b": 1}]', '[{"a":2,"b":1},{"a":1,"b":1}]', False),
    "a decimal as a number": (Decimal, "19.50", '"19.5"', False),
    "a decimal as an integer": (Decimal, "1E3", '"1000"', False),
    "a decimal as a string": (Decimal, '"19.50"', '"19.50"', False),
    "a decimal past a double": (Decimal, "12345678901234567890.5", '"12345678901234567000"', True),
    "decimals in a set": (set[Decimal], "[2.5, 1]", '["1","2.5"]', False),
    "an infinity that would be a constant": (WithHex, '{"a": "00ff", "b": "inf"}', '{"a":"00ff","b":"inf"}', False),
    "bytes in other digits": (WithHex, '{"a": "00FF"}', '{"a":"00ff","b":0.0}', True),
    "a computed field": (WithComputed, '{"a": 1, "double": 2}', '{"a":1}', True),
    "an alias that cannot be written": (WithChoices, '{"second": 1}', '{"second":1}', False),
    "a named tuple as an array": (Span, "[1, 2.5]", "[1,2.5]", False),
    "flags": (Rights, "3", "3", False),
    "a secret": (dict[str, SecretStr], '{"b": "x", "a": "y"}', '{"a":"y","b":"x"}', False),
    "a word for nothing": (Annotated[int | None, BeforeValidator(or_nothing)], '"n/a"', "null", True),
    "a check that sorts": (Annotated[list[int], AfterValidator(sorted)], "[2, 1]", "[1,2]", True),
    "values that cannot be compared": (WithoutComparison, '{"a": [1]}', '{"a":[1]}', False),
}


@pytest.mark.parametrize("title", ROWS)
def test_odd_schema(title: str) -> None:
    schema, raw, canonical, changed = ROWS[title]
    outcome = json_output(schema).parse(raw)
    assert isinstance(outcome, Ok)
    assert (outcome.canonical, outcome.changed) == (canonical, changed)


def test_the_value_keeps_the_order_in_which_it_was_sent() -> None:
    outcome = json_output(dict[str, int]).parse('{"b": 1, "a": 2}')
    assert isinstance(outcome, Ok)
    assert list(outcome.value) == ["b", "a"]


@pytest.mark.parametrize("schema", [Iterable[int], list[Iterable[int]]])
def test_what_is_only_checked_when_it_is_read_is_refused(schema: object) -> None:
    with pytest.raises(UsageError, match="holds an iterator, which is not checked until it is read: use a list"):
        json_output(schema)


def test_a_check_that_breaks_is_a_failure() -> None:
    outcome = json_output(list[Annotated[int, AfterValidator(fail_at_three)]]).parse("[1, 3]")
    assert isinstance(outcome, Failure)
    assert outcome.reason == "validator_error"


@pytest.mark.parametrize("sent", [1.0, 2**53 + 1, True, "1"], ids=repr)
@pytest.mark.parametrize("got", [1, float(2**53), "1"], ids=repr)
def test_numbers_are_compared_exactly_and_by_type(sent: object, got: object) -> None:
    kept = (sent, got) in {(1.0, 1), ("1", "1")} and sent is not True
    assert is_kept(sent, got) is kept
    assert is_kept([{"a": sent}], [{"a": got, "b": None}]) is kept
