"""Each provider's request keeps the rules of its documentation, and says what it does not hold a model to."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from generated_schemas import schemas_with_replies
from hypothesis import HealthCheck, assume, given, settings
from jsonschema import Draft202012Validator
from native_schemas import SCHEMAS
from provider_rules import anthropic_faults, gemini_faults, ollama_faults, openai_faults
from pydantic import TypeAdapter

from pytest_llmout import Ok, UsageError, json_output
from pytest_llmout.outputs.native.anthropic_mode import anthropic_mode
from pytest_llmout.outputs.native.gbnf_grammar import GrammarWriter
from pytest_llmout.outputs.native.gbnf_mode import gbnf_mode
from pytest_llmout.outputs.native.gemini_mode import gemini_mode
from pytest_llmout.outputs.native.ollama_mode import ollama_mode
from pytest_llmout.outputs.native.openai_mode import openai_mode
from pytest_llmout.outputs.native.schema_rewriter import SchemaRewriter, SchemaRules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_llmout.outputs.json_output import JsonOutput
    from pytest_llmout.outputs.native.native_mode import NativeMode

    Mode = Callable[[JsonOutput[Any]], NativeMode]
    Faults = Callable[[dict[str, Any]], Iterator[object]]

PROVIDERS = {
    "openai": (openai_mode, openai_faults),
    "anthropic": (anthropic_mode, anthropic_faults),
    "gemini": (gemini_mode, gemini_faults),
    "ollama": (ollama_mode, ollama_faults),
}
each_provider = pytest.mark.parametrize(("mode", "faults"), PROVIDERS.values(), ids=PROVIDERS)
few = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))


def schema_in(request: dict[str, Any]) -> dict[str, Any]:
    match request:
        case {"response_format": {"json_schema": {"schema": schema}}}:
            pass
        case {"output_config": {"format": {"schema": schema}}}:
            pass
        case {"generationConfig": {"responseJsonSchema": schema}}:
            pass
        case {"format": schema}:
            pass
    found: dict[str, Any] = schema
    return found


@each_provider
@pytest.mark.parametrize("name", SCHEMAS)
def test_a_request_keeps_the_rules_of_its_provider(mode: Mode, faults: Faults, name: str) -> None:
    native = mode(json_output(SCHEMAS[name], name="a name/with §"))
    if not native.request:
        assert native.unexpressed
    else:
        json.dumps(native.request, allow_nan=False)
        Draft202012Validator.check_schema(schema_in(native.request))
        assert [fault for fault in faults(native.request) if fault] == []


@each_provider
@few
@given(drawn=schemas_with_replies())
def test_generated_schemas_keep_the_rules_too(mode: Mode, faults: Faults, drawn: tuple[Any, Any]) -> None:
    output = json_output(drawn[0])
    assume(output.judge.json_schema() is not None)
    native = mode(output)
    assert native.unexpressed or not native.request or [fault for fault in faults(native.request) if fault] == []


@each_provider
@few
@given(drawn=schemas_with_replies())
def test_what_a_provider_may_write_fits_unless_it_says_otherwise(
    mode: Mode, faults: Faults, drawn: tuple[Any, Any]
) -> None:
    del faults
    schema, tree = drawn
    output = json_output(schema)
    assume(output.judge.json_schema() is not None)
    native = mode(output)
    assume(native.request and not native.unexpressed)
    written = Draft202012Validator(schema_in(native.request), format_checker=Draft202012Validator.FORMAT_CHECKER)
    own = Draft202012Validator(TypeAdapter(schema).json_schema(), format_checker=Draft202012Validator.FORMAT_CHECKER)
    if written.is_valid(tree):
        assert own.is_valid(tree)


EXPECTED = {
    ("openai", "review"): ((), ()),
    ("openai", "person"): ((), ("born: is optional, but will always be written",)),
    ("openai", "list"): (
        ("the value: only an object may stand at the top",),
        ("<Person>.born: is optional, but will always be written",),
    ),
    ("openai", "bounded"): (("short: maxLength 5", "short: minLength 2", "unique: uniqueItems true"), ()),
    ("openai", "pet"): (("pet: oneOf more than one alternative may fit",), ()),
    ("anthropic", "review"): (("score: maximum 5", "score: minimum 1"), ()),
    ("anthropic", "node"): (("the schema: it contains itself",), ()),
    ("gemini", "review"): ((), ()),
    ("gemini", "bounded"): (
        (
            *("short: maxLength 5", "short: minLength 2", "positive: exclusiveMinimum 0", "unique: uniqueItems true"),
            "code: pattern ^[A-Z]{3}$",
        ),
        (),
    ),
    ("ollama", "bounded"): (("unique: uniqueItems true", "a number: exclusiveMinimum 0"), ()),
    ("ollama", "review"): ((), ()),
}


@pytest.mark.parametrize(("provider", "name"), EXPECTED)
def test_what_is_reported(provider: str, name: str) -> None:
    native = PROVIDERS[provider][0](json_output(SCHEMAS[name]))
    unexpressed, narrowed = EXPECTED[provider, name]
    assert (set(native.unexpressed), set(native.narrowed)) == (set(unexpressed), set(narrowed))


REFERRING = {"place": "a", "same": "b", "anchor": 1, "whole": 2, "escaped": True, "tilde": None, "within": [None]}


@pytest.mark.parametrize("wrong", [None, *({name: 1.5} for name in REFERRING)], ids=str)
@each_provider
def test_references_still_say_what_they_said(mode: Mode, faults: Faults, wrong: dict[str, Any] | None) -> None:
    del faults
    schema = schema_in(mode(json_output(SCHEMAS["references"])).request)
    assert Draft202012Validator(schema).is_valid({**REFERRING, **(wrong or {})}) is (wrong is None)


@pytest.mark.parametrize("reference", ["#nowhere", "#/$defs/absent", "https://example.com/other", "#/anyOf/7"])
def test_a_reference_that_leads_nowhere_is_reported(reference: str) -> None:
    rewriter = SchemaRewriter(SchemaRules({}, frozenset()), {"anyOf": [{"$ref": reference}]})
    assert rewriter.rewrite(rewriter.root) == {"anyOf": [{}]}
    assert rewriter.unexpressed == [f"the value: $ref {reference}"]
    writer = GrammarWriter({"anyOf": [{"$ref": reference}]})
    assert writer.write().startswith("root ::= value\n")
    assert writer.unexpressed == [f"the value: $ref {reference}"]


def deep(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "integer"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"a": schema}, "required": ["a"]}
    return schema


def wide(names: int) -> dict[str, Any]:
    return {"type": "object", "properties": {f"k{number}": {"type": "integer"} for number in range(names)}}


@pytest.mark.parametrize(
    ("mode", "schema", "complaint"),
    [
        (openai_mode, deep(11), "the schema: more than 10 levels"),
        (openai_mode, wide(5_001), "the schema: more than 5000 keys"),
        (
            openai_mode,
            {**wide(1), "$defs": {"e": {"enum": list(range(1_001))}}},
            "the schema: more than 1000 enum values",
        ),
        (
            openai_mode,
            {"type": "object", "properties": {"a": {"enum": ["x" * 120_001]}}},
            "the schema: more than 120000 characters in keys and enum values",
        ),
        (anthropic_mode, wide(25), "the schema: more than 24 optional keys"),
        (
            anthropic_mode,
            {"type": "object", "properties": {f"k{n}": {"type": ["integer", "null"]} for n in range(17)}},
            "the schema: more than 16 unions",
        ),
    ],
)
def test_limits(mode: Mode, schema: dict[str, Any], complaint: str) -> None:
    native = mode(json_output(schema))
    assert native.request == {}
    assert complaint in native.unexpressed


@pytest.mark.parametrize("mode", [openai_mode, anthropic_mode, gemini_mode, ollama_mode, gbnf_mode])
def test_a_type_without_a_json_schema_is_refused(mode: Mode) -> None:
    with pytest.raises(UsageError, match="output type 'callable' has no JSON Schema: use its request_hint instead"):
        mode(json_output(type, name="callable"))


def test_keys_are_asked_for_in_the_order_of_the_canonical_text() -> None:
    output = json_output(SCHEMAS["review"])
    native = gemini_mode(output)
    outcome = output.parse('{"score": 3, "reason": "ok", "verdict": "approve"}')
    assert isinstance(outcome, Ok)
    assert schema_in(native.request)["propertyOrdering"] == list(json.loads(outcome.canonical))
