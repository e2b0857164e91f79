"""Every sentence of a grammar is a reply that fits, but for what the mode says it does not express."""

from __future__ import annotations

import json
from typing import Any

import pytest
from gbnf_sentences import read_grammar, sentences
from generated_schemas import schemas_with_replies
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from jsonl_cases import read_cases
from jsonschema import Draft202012Validator
from native_schemas import SCHEMAS

from pytest_llmout import Failure, FailureKind, Ok, json_output
from pytest_llmout.outputs.native.gbnf_mode import gbnf_mode
from pytest_llmout.outputs.native.gbnf_rules import PRIMITIVES

few = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
RECORDED = read_cases("gbnf_smollm2.jsonl")


@pytest.mark.parametrize("name", SCHEMAS)
@few
@given(data=st.data())
def test_sentences_fit(name: str, data: st.DataObject) -> None:
    output = json_output(SCHEMAS[name])
    native = gbnf_mode(output)
    match output.parse(data.draw(sentences(native.request["grammar"]))):
        case Ok():
            pass
        case Failure(kind, observed):
            assert kind is FailureKind.SCHEMA, observed
            assert native.unexpressed, observed


@few
@given(st.data(), schemas_with_replies())
def test_sentences_of_generated_schemas_fit(data: st.DataObject, drawn: tuple[Any, Any]) -> None:
    output = json_output(drawn[0])
    schema = output.judge.json_schema()
    assume(schema is not None)
    native = gbnf_mode(output)
    sentence = data.draw(sentences(native.request["grammar"]))
    if not native.unexpressed:
        Draft202012Validator(schema or {}).validate(json.loads(sentence))


@pytest.mark.parametrize("name", PRIMITIVES)
def test_every_primitive_is_read_and_names_only_others(name: str) -> None:
    assert name in read_grammar("".join(f"{name} ::= {body}\n" for name, body in PRIMITIVES.items()))


EXPECTED = {
    "review": ((), ()),
    "node": ((), ()),
    "pet": ((), ()),
    "order": (
        (),
        ("<Person>.born: date will be written in one form only", "id: uuid will be written in one form only"),
    ),
    "bounded": (('code: pattern "^[A-Z]{3}$"', "positive: exclusiveMinimum 0", "unique: uniqueItems true"), ()),
    "scalar": ((), ()),
    "json": ((), ()),
}


@pytest.mark.parametrize("name", EXPECTED)
def test_what_is_reported(name: str) -> None:
    native = gbnf_mode(json_output(SCHEMAS[name]))
    assert (tuple(sorted(native.unexpressed)), tuple(sorted(native.narrowed))) == EXPECTED[name]


@pytest.mark.parametrize("case", RECORDED, ids=lambda case: case["id"])
def test_a_real_model_under_the_grammar_writes_what_parses(case: dict[str, Any]) -> None:
    output = json_output(SCHEMAS[case["schema"]])
    assert gbnf_mode(output).request["grammar"] == case["grammar"], "record again: tests/bench/gbnf_smollm2.py"
    outcome = output.parse(case["raw"])
    assert isinstance(outcome, Ok) == (case["finish_reason"] == "stop")
    assert isinstance(outcome, Ok) or outcome.reason == "truncated"


def test_most_recorded_replies_are_complete() -> None:
    assert sum(case["finish_reason"] == "stop" for case in RECORDED) > len(RECORDED) / 2
