"""The JSON output type: extraction, then syntax, then schema, then one canonical text."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from os import PathLike
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, get_args, overload

from pytest_llmout.contract import Failure, FailureKind, Ok
from pytest_llmout.errors import UsageError
from pytest_llmout.outputs.json_embedded import find_json
from pytest_llmout.outputs.json_fence import find_fence
from pytest_llmout.outputs.json_pydantic import PydanticJudge
from pytest_llmout.outputs.json_strict import JsonText, read_json
from pytest_llmout.outputs.json_syntax import explain_text_after_fence

if TYPE_CHECKING:
    from pydantic import JsonValue

    from pytest_llmout.outputs.json_judge import JsonJudge

T = TypeVar("T")
Extract = Literal["none", "fence", "embedded"]

_JSON_START = ("{", "[")
_NOT_LINE_END = re.compile(r"[^\n]")


@dataclass(frozen=True, slots=True)
class JsonOutput(Generic[T]):
    """A reply that is one JSON value of a given shape; made by `json_output`."""

    name: str
    request_hint: str | None
    max_retries: int
    extract: Extract
    judge: JsonJudge[T]

    def parse(self, raw: str) -> Ok[T] | Failure:
        """Judge one reply; see `json_output` for what is normalised and what is refused."""
        outcome = self.judge.judge(raw) if raw.startswith(_JSON_START) else self._judge_unwrapped(raw)
        if self.extract == "embedded" and isinstance(outcome, Failure) and outcome.kind is FailureKind.SYNTAX:
            return self._judge_embedded(raw, outcome)
        return outcome

    def retryable(self, failure: Failure) -> bool:  # noqa: ARG002  the contract asks with the failure at hand
        """Say that both kinds of failure are worth asking again."""
        return True

    def _judge_unwrapped(self, raw: str) -> Ok[T] | Failure:
        """Judge what is left without a byte order mark and a fence; JSON begins with neither."""
        text, notes = _without_bom(raw)
        fence = None if self.extract == "none" else find_fence(text)
        if fence is None:
            return self.judge.judge(text, *notes)
        if fence.after is not None:
            is_json = isinstance(read_json(fence.inside), JsonText)
            return explain_text_after_fence(text, fence.after) if is_json else self.judge.judge(text)
        outcome = self.judge.judge(fence.inside, *notes, "fence")
        is_broken = isinstance(outcome, Failure) and outcome.kind is FailureKind.SYNTAX
        return self.judge.judge(_in_place(text, fence.place)) if is_broken else outcome

    def _judge_embedded(self, raw: str, whole: Failure) -> Ok[T] | Failure:
        """Take the last value that fits; if none does, the model is told about the longest JSON, whole or broken."""
        text, notes = _without_bom(raw)
        found = find_json(text)
        values = [one for one in found if one.is_value]
        failures: list[tuple[int, Failure]] = []
        for value in reversed(values):
            outcome = self.judge.judge(value.text)
            if isinstance(outcome, Ok):
                met = (*notes, *value.surroundings(), *(("several_values",) if len(values) > 1 else ()))
                return Ok(outcome.value, outcome.canonical, outcome.changed, (*met, *outcome.notes))
            failures.append((value.readable, outcome))
        longest, failure = max(failures, key=lambda sized: sized[0], default=(0, whole))
        broken = max((one for one in found if not one.is_value), key=lambda one: one.readable, default=None)
        if broken is not None and broken.readable > longest:
            told = self.judge.judge(_in_place(text, broken.place))
            return told if isinstance(told, Failure) else failure
        return failure


@overload
def json_output(
    schema: type[T],
    *,
    name: str = ...,
    request_hint: str | None = ...,
    strict: bool | None = ...,
    extract: Extract = ...,
    max_retries: int = ...,
) -> JsonOutput[T]: ...


@overload
def json_output(
    schema: Mapping[str, Any] | str | PathLike[str],
    *,
    name: str = ...,
    request_hint: str | None = ...,
    strict: bool | None = ...,
    extract: Extract = ...,
    max_retries: int = ...,
) -> JsonOutput[JsonValue]: ...


@overload
def json_output(
    schema: object,
    *,
    name: str = ...,
    request_hint: str | None = ...,
    strict: bool | None = ...,
    extract: Extract = ...,
    max_retries: int = ...,
) -> JsonOutput[Any]: ...


def json_output(  # noqa: PLR0913  options are keyword-only
    schema: object,
    *,
    name: str = "json",
    request_hint: str | None = None,
    strict: bool | None = None,
    extract: Extract = "fence",
    max_retries: int = 2,
) -> JsonOutput[Any]:
    """Make the output type of replies that are one JSON value.

    Args:
        schema: Anything pydantic's `TypeAdapter` takes; or a JSON Schema: a dict, the path of its file, or
            `file.json#/$defs/Name` for one definition of it.
        name: The name that records and messages use.
        request_hint: The instruction for the prompt; by default written from the schema.
        strict: Whether pydantic converts no types (`True`), or as each field says (`None`); not for a JSON Schema.
        extract: What may stand around the value. `"none"`: nothing. `"fence"`: one code fence or code span around the
            whole reply. `"embedded"`: also a lead-in, a trailing remark and reasoning in `<think>`; of several values
            the last that fits the schema is taken; a piece of a larger value that is broken or cut off is none.
        max_retries: How many re-asks may follow the first reply.

    Returns:
        An output type whose `parse` gives the typed value, or says what is wrong with the reply: `syntax` (it is not
        JSON as RFC 8259 has it) or `schema`. Its canonical text is the value written compactly by the schema's own
        names, with the keys of mappings and the items of sets sorted (or what was sent, where the schema cannot write
        its values back: secrets, sets of models). `changed` says whether the schema dropped or altered something the
        model sent; the order of keys, or of a set, is nothing. `notes` may hold `bom`,
        `fence`, `lead_in`, `trailing_remark`, `several_values` and `duplicate_keys`.

    Raises:
        UsageError: The schema or an argument cannot be used.
    """
    if extract not in get_args(Extract):
        raise UsageError(f"extract={extract!r} is no policy: choose one of {', '.join(map(repr, get_args(Extract)))}")
    if max_retries < 0:
        raise UsageError(f"max_retries={max_retries} is negative: give the number of re-asks, 0 for none")
    judge = _judge_for(schema, strict=strict)
    hint = _hint(judge.json_schema()) if request_hint is None else request_hint
    return JsonOutput(name, hint, max_retries, extract, judge)


def _judge_for(schema: object, *, strict: bool | None) -> JsonJudge[Any]:
    if not isinstance(schema, Mapping | str | PathLike):
        return PydanticJudge(schema, strict=strict)
    if strict is not None:
        raise UsageError(f"strict={strict} is for pydantic's types: leave it out, a JSON Schema converts none")
    try:
        module = import_module("pytest_llmout.outputs.json_schema_document")
    except ModuleNotFoundError as error:
        raise UsageError(
            f"a JSON Schema needs the package {error.name}: pip install 'pytest-llmout[schema]'"
        ) from error
    judge: JsonJudge[Any] = module.JsonSchemaJudge(schema)
    return judge


def _hint(schema: Mapping[str, object] | None) -> str:
    ask = "Reply with one JSON value and nothing else: no code fence, no words around it."
    if schema is None:
        return ask
    return f"{ask} It must fit this JSON Schema: {json.dumps(schema, ensure_ascii=False, separators=(',', ':'))}"


def _in_place(text: str, place: slice) -> str:
    """Return a part of a text after blanks for all that stands before it, so that it keeps its lines and columns."""
    return _NOT_LINE_END.sub(" ", text[: place.start]) + text[place]


def _without_bom(raw: str) -> tuple[str, tuple[str, ...]]:
    return (raw[1:], ("bom",)) if raw.startswith("\ufeff") else (raw, ())
