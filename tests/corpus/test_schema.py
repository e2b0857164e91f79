from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator
from sample_records import sample_record

from pytest_llmout.corpus.record import dump_record, record_json_schema
from pytest_llmout.corpus.store import shipped_corpus

PUBLISHED = shipped_corpus() / "reply-record.schema.json"


def test_the_published_schema_is_the_generated_one() -> None:
    expected = json.dumps(record_json_schema(), indent=2, ensure_ascii=False) + "\n"
    assert PUBLISHED.read_bytes() == expected.encode(), f"write the generated schema to {PUBLISHED}"


def test_the_published_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(json.loads(PUBLISHED.read_bytes()))


@pytest.mark.parametrize(
    ("fields", "valid"),
    [
        pytest.param({}, True, id="the least"),
        pytest.param(
            {"output": {"type": "json", "schema": {"default": None}}, "time": "2024-01-01T00:00:00Z"}, True, id="more"
        ),
        pytest.param({"colour": "red"}, False, id="an unknown field"),
        pytest.param({"raw": None}, False, id="no reply"),
        pytest.param({"version": 2}, False, id="a later version"),
    ],
)
def test_the_schema_accepts_records_and_nothing_else(fields: dict[str, object], *, valid: bool) -> None:
    line = json.loads(dump_record(sample_record())) | fields
    assert Draft202012Validator(record_json_schema()).is_valid(line) is valid
