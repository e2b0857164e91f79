from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Annotated, Any

import pytest
from json_case_schemas import CLOCK, MODELS
from pydantic import Field

from pytest_llmout import Failure, Ok, OutputType, UsageError, json_output

if TYPE_CHECKING:
    from pydantic import BaseModel

MILLION = 1_000_000
TASK = MODELS["Task"]


def test_it_keeps_the_contract() -> None:
    output: OutputType[BaseModel] = json_output(TASK, name="task", request_hint="JSON, please", max_retries=5)
    assert (output.name, output.request_hint, output.max_retries) == ("task", "JSON, please", 5)
    assert all(
        output.retryable(failure) for failure in (output.parse("{}"), output.parse("")) if isinstance(failure, Failure)
    )


def test_the_hint_is_written_from_the_schema() -> None:
    hint = json_output(TASK).request_hint
    assert hint is not None
    assert json.dumps(TASK.model_json_schema(), separators=(",", ":")) in hint


def test_a_schema_that_has_no_json_schema_still_has_a_hint() -> None:
    assert (
        json_output(type).request_hint
        == "Reply with one JSON value and nothing else: no code fence, no words around it."
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"schema": CLOCK}, "is no schema that pydantic understands"),
        ({"schema": list["Absent"]}, "name 'Absent' is not defined"),  # type: ignore[name-defined]  # noqa: F821  on purpose
        ({"schema": Annotated[str, Field(pattern="(")]}, "is no schema that pydantic understands: "),
        (
            {"schema": {}, "strict": True},
            "strict=True is for pydantic's types: leave it out, a JSON Schema converts none",
        ),
        ({"schema": int, "extract": "all"}, "extract='all' is no policy: choose one of 'none', 'fence', 'embedded'"),
        ({"schema": int, "max_retries": -1}, "max_retries=-1 is negative: give the number of re-asks, 0 for none"),
    ],
)
def test_misuse(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        json_output(**arguments)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_json_schema_without_the_library_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "pytest_llmout.outputs.json_schema_document", raising=False)
    monkeypatch.setitem(sys.modules, "jsonschema", None)
    with pytest.raises(UsageError, match=r"needs the package jsonschema: pip install 'pytest-llmout\[schema\]'"):
        json_output({"type": "object"})


def test_strict_converts_nothing() -> None:
    raw = '{"title": "Tea", "priority": "2"}'
    assert isinstance(json_output(TASK).parse(raw), Ok)
    assert isinstance(json_output(TASK, strict=True).parse(raw), Failure)


@pytest.mark.parametrize("extract", ["none", "fence", "embedded"])
@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        ("[" * 10 * MILLION, "too_deep"),
        ('"' + "a" * 10 * MILLION, "truncated"),
        ("{" + ",".join(f'"k{number}":0' for number in range(MILLION)) + "}", "validation"),
        (json.dumps(["x"] * 100_000), "validation"),
    ],
    ids=["brackets", "string", "keys", "errors"],
)
def test_hostile_sizes(raw: str, reason: str, extract: Any) -> None:  # noqa: ANN401  a policy
    outcome = json_output(list[int], extract=extract).parse(raw)
    assert isinstance(outcome, Failure)
    assert outcome.reason == reason
    assert len(outcome.observed) <= 500


def test_the_package_is_imported_without_pydantic() -> None:
    code = "import sys, pytest_llmout; sys.exit('pydantic' in sys.modules or 'pyromark' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0  # noqa: S603  our own words


def test_an_unknown_name_is_an_attribute_error() -> None:
    import pytest_llmout  # noqa: PLC0415  the module itself is under test

    with pytest.raises(AttributeError, match="has no attribute 'jason_output'"):
        _ = pytest_llmout.jason_output
