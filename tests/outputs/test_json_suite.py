"""Inputs by what RFC 8259 says of them: `y_` is JSON, `n_` is not, `i_` is left to the implementation."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonl_cases import read_cases
from pydantic import JsonValue

from pytest_llmout import Failure, FailureKind, Ok, json_output

CASES = read_cases("json_suite.jsonl")
ANYTHING = {policy: json_output(Any, extract=policy) for policy in ("none", "fence", "embedded")}


def of_kind(kind: str) -> list[Any]:
    return [pytest.param(case["raw"], id=case["id"]) for case in CASES if case["id"].startswith(kind)]


def test_every_case_is_of_a_kind() -> None:
    assert sum(len(of_kind(kind)) for kind in ("y_", "n_", "i_")) == len(CASES)


@pytest.mark.parametrize("schema", [Any, JsonValue, {}], ids=["any", "json-value", "json-schema"])
@pytest.mark.parametrize("raw", of_kind("y_"))
def test_what_is_json_is_accepted_as_the_value_it_is(raw: str, schema: object) -> None:
    match json_output(schema).parse(raw):
        case Ok(value, canonical, _, notes):
            assert value == json.loads(canonical) == json.loads(raw)
            assert set(notes) <= {"duplicate_keys"}
        case Failure() as failure:
            pytest.fail(failure.observed)


@pytest.mark.parametrize("policy", ["none", "fence"])
@pytest.mark.parametrize("raw", of_kind("n_"))
def test_what_is_not_json_is_a_syntax_failure(raw: str, policy: str) -> None:
    outcome = ANYTHING[policy].parse(raw)
    assert isinstance(outcome, Failure)
    assert outcome.kind is FailureKind.SYNTAX


@pytest.mark.parametrize("policy", ["none", "fence", "embedded"])
@pytest.mark.parametrize("raw", of_kind("i_"))
def test_what_is_left_open_is_taken_exactly_or_refused(raw: str, policy: str) -> None:
    match ANYTHING[policy].parse(raw):
        case Ok(value, canonical):
            assert value == json.loads(canonical)
        case Failure(kind):
            assert kind is FailureKind.SYNTAX


@pytest.mark.parametrize("raw", of_kind("n_"))
def test_of_what_is_not_json_only_a_value_with_text_around_it_can_be_taken(raw: str) -> None:
    match ANYTHING["embedded"].parse(raw):
        case Ok(_, canonical, _, notes):
            assert {"lead_in", "trailing_remark"} & set(notes)
            assert len(canonical) < len(raw)
        case Failure(kind):
            assert kind is FailureKind.SYNTAX
