from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from pytest_llmout import Failure, FailureKind, Ok, UsageError, json_output

if TYPE_CHECKING:
    from pathlib import Path

TASK = {
    "type": "object",
    "properties": {
        "title": {"type": "string", "minLength": 2},
        "priority": {"type": "integer", "minimum": 1},
        "kind": {"enum": ["task", "event"]},
        "version": {"const": 1},
        "due": {"type": "string", "format": "date"},
        "owner": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/person"}]},
        "size": {"type": ["number", "null"]},
    },
    "required": ["title", "priority"],
    "additionalProperties": False,
    "$defs": {"person": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}},
}
BEGIN = "the JSON does not fit the schema: "
REFUSED = {
    '{"title": "Tea"}': 'the value: "priority" is required but missing',
    "{}": 'the value: "title", "priority" are required but missing',
    "[]": "the value: expected an object, but found []",
    '{"title": 3, "priority": 2}': "title: expected a string, but found 3",
    '{"title": "T", "priority": 2}': 'title: expected minLength 2, but found "T"',
    '{"title": "Tea", "priority": 2.5}': "priority: expected an integer, but found 2.5",
    '{"title": "Tea", "priority": 0}': "priority: expected minimum 1, but found 0",
    '{"title": "Tea", "priority": 2, "kind": "Task"}': 'kind: expected "task" or "event", but found "Task"',
    '{"title": "Tea", "priority": 2, "version": true}': "version: expected 1, but found true",
    '{"title": "Tea", "priority": 2, "due": "soon"}': 'due: expected format "date", but found "soon"',
    '{"title": "Tea", "priority": 2, "why": 1}': 'the value: "why" is not in the schema',
    '{"title": "Tea", "priority": 2, "owner": {}}': 'owner: "name" is required but missing',
    '{"title": "Tea", "priority": 2, "size": "L"}': 'size: expected a number or null, but found "L"',
}


@pytest.mark.parametrize(("raw", "complaint"), REFUSED.items())
def test_refused(raw: str, complaint: str) -> None:
    assert json_output(TASK).parse(raw) == Failure(FailureKind.SCHEMA, BEGIN + complaint, "validation")


@pytest.mark.parametrize(
    ("raw", "canonical", "changed"),
    [
        ('{"title": "Tea", "priority": 2}', '{"priority":2,"title":"Tea"}', False),
        ('{"priority": 2.0, "title": "T\\u0065a"}', '{"priority":2,"title":"Tea"}', False),
        ('```json\n{"priority": 2e0, "title": "Tea"}\n```', '{"priority":2,"title":"Tea"}', False),
        ('{"title": "Cup", "title": "Tea", "priority": 2}', '{"priority":2,"title":"Tea"}', True),
        (
            '{"title": "Tea", "priority": 2, "size": 0.1000000000000000055}',
            '{"priority":2,"size":0.1,"title":"Tea"}',
            True,
        ),
    ],
)
def test_accepted(raw: str, canonical: str, changed: bool) -> None:  # noqa: FBT001  a column of the table
    output = json_output(TASK)
    outcome = output.parse(raw)
    assert isinstance(outcome, Ok)
    assert (outcome.value, outcome.canonical, outcome.changed) == (json.loads(canonical), canonical, changed)
    assert output.parse(canonical) == Ok(outcome.value, canonical, changed=False)


def test_many_errors_are_counted() -> None:
    failure = json_output({"items": {"type": "integer"}}).parse(json.dumps(["x"] * 40))
    assert isinstance(failure, Failure)
    assert failure.observed.startswith(f'{BEGIN}[0]: expected an integer, but found "x"; [1]: ')
    assert failure.observed.endswith("; and 35 more")


def test_a_schema_that_cannot_be_evaluated_is_a_failure() -> None:
    endless: dict[str, Any] = {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}
    failure = json_output(endless).parse("1")
    assert isinstance(failure, Failure)
    assert (failure.kind, failure.reason) == ("schema", "validator_error")


@pytest.mark.parametrize("as_text", [False, True], ids=["path", "str"])
def test_a_file(tmp_path: Path, as_text: bool) -> None:  # noqa: FBT001  one of two
    path = tmp_path / "task.json"
    path.write_text(json.dumps(TASK), encoding="utf-8")
    output = json_output(str(path) if as_text else path)
    assert isinstance(output.parse('{"title": "Tea", "priority": 2}'), Ok)
    assert '"minLength":2' in (output.request_hint or "")


def test_a_definition_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "task.json"
    path.write_text(json.dumps(TASK), encoding="utf-8")
    output = json_output(f"{path}#/$defs/person")
    assert isinstance(output.parse('{"name": "Ann"}'), Ok)
    assert output.parse("{}") == Failure(
        FailureKind.SCHEMA, f'{BEGIN}the value: "name" is required but missing', "validation"
    )
    with pytest.raises(UsageError, match=r"the reference '/\$defs/absent' is not in the schema"):
        json_output(f"{path}#/$defs/absent")


@pytest.mark.parametrize("pointer", ["/properties/title", "person"])
def test_nothing_but_a_definition_of_a_file_can_be_named(pointer: str, tmp_path: Path) -> None:
    path = tmp_path / "task.json"
    path.write_text(json.dumps(TASK), encoding="utf-8")
    with pytest.raises(UsageError, match=r"only a definition can be named, as in .*task.json#/\$defs/Name"):
        json_output(f"{path}#{pointer}")


def test_a_file_whose_name_holds_a_hash(tmp_path: Path) -> None:
    path = tmp_path / "task#1.json"
    path.write_text(json.dumps(TASK), encoding="utf-8")
    assert isinstance(json_output(path).parse('{"title": "Tea", "priority": 2}'), Ok)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{\xff", "not UTF-8 text (byte 2)"),
        (b"{", "not JSON: "),
        (b"[" * 100_000, "the JSON is nested too deeply"),
        (b"true", "a JSON Schema is an object, this is true"),
        (b'{"type": "objekt"}', 'no valid JSON Schema: type: expected "array" or "boolean"'),
        (b'{"pattern": "("}', 'no valid JSON Schema: pattern: expected format "regex"'),
        (b'{"$ref": "#/$defs/a"}', "the reference '/$defs/a' is not in the schema"),
        (b'{"items": {"$ref": "http://example.org/a.json"}}', "no other file or address is read"),
    ],
)
def test_a_file_that_is_no_schema(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "schema.json"
    path.write_bytes(content)
    with pytest.raises(UsageError) as caught:
        json_output(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert message in str(caught.value)
