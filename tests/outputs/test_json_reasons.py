from __future__ import annotations

from typing import Any

import pytest
from json_case_schemas import MODELS
from jsonl_cases import read_cases
from pydantic_core import from_json

from pytest_llmout import Failure, json_output
from pytest_llmout.outputs.json_reasons import PARSER_MESSAGES, SCHEMA_REASONS, SYNTAX_REASONS
from pytest_llmout.outputs.one_line import LINE_LIMIT

CASES = read_cases("json_refused.jsonl")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_refused_case(case: dict[str, Any]) -> None:
    failure = json_output(MODELS[case["model"]]).parse(case["raw"])
    assert failure == Failure(case["kind"], case["observed"], case["reason"])


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_observed_is_one_bounded_line_for_a_model(case: dict[str, Any]) -> None:
    observed = case["observed"]
    assert observed.isprintable()
    assert 0 < len(observed) <= LINE_LIMIT
    assert not any(word in observed for word in ("pydantic", "http", "jiter", "Traceback", "ValidationError"))


def test_the_documented_reasons_are_those_of_the_cases() -> None:
    found = {(case["kind"], case["reason"]) for case in CASES}
    documented = {("syntax", reason) for reason in SYNTAX_REASONS} | {("schema", reason) for reason in SCHEMA_REASONS}
    assert found == documented
    assert {complaint.reason for complaint in PARSER_MESSAGES.values()} <= SYNTAX_REASONS.keys()


def parser_message(text: str) -> str:
    try:
        from_json(text, allow_inf_nan=False)
    except (ValueError, TypeError) as error:
        return str(error)
    return ""


@pytest.mark.parametrize("begin", [begin for begin in PARSER_MESSAGES if begin != "invalid unicode code point"])
def test_every_parser_message_is_still_said(begin: str) -> None:
    assert any(parser_message(case["raw"]).startswith(begin) for case in CASES)
