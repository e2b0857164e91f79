"""The reply record: one JSON line, the only format of corpora, recordings and imports."""

from __future__ import annotations

import hashlib
import json
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    NonNegativeInt,
    SerializerFunctionWrapHandler,
    model_serializer,
    model_validator,
)

from pytest_llmout.contract import FailureKind  # noqa: TC001  pydantic resolves the annotation at run time


class Fidelity(StrEnum):
    """Whether `raw` is what the model wrote."""

    EXACT = "exact"
    """Taken from the model's answer itself."""
    LIKELY = "likely"
    """Passed through programs that are believed to keep text as it is."""
    LOSSY = "lossy"
    """Known to have been rendered, trimmed or re-written on the way."""


def _join_surrogate_pairs(text: str) -> str:
    # JSON reads the escapes of a high and a low surrogate in a row as the one character they stand for.
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


Text = Annotated[str, AfterValidator(_join_surrogate_pairs)]
"""Text from a model or for one. It may hold lone surrogates; a pair of them is the character it stands for."""


def _refuse_nan(value: JsonValue) -> JsonValue:
    try:
        json.dumps(value, allow_nan=False)
    except ValueError:
        raise ValueError("NaN and infinity are not JSON") from None
    return value


Json = Annotated[JsonValue, AfterValidator(_refuse_nan)]
"""What strict JSON can hold: NaN and the infinities are refused."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    @model_serializer(mode="wrap")
    def _leave_out_unset(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        # `exclude_none` would also drop the nulls within parameters and schemas, which are values.
        return {name: value for name, value in handler(self).items() if value is not None}


class Message(_Part):
    """One message of a prompt."""

    role: str
    """`system`, `user`, `assistant` or what else the provider knows."""
    content: Text
    """The text of the message."""


class Model(_Part):
    """The model that wrote a reply."""

    name: str
    """The model that answered, as the provider names it: what comparisons key on."""
    requested: str | None = None
    """The name that was asked for, where it differs from the one that answered."""
    provider: str | None = None
    """Who ran the model."""
    revision: str | None = None
    """What pins the weights: a date, a commit or a hash of the model file."""


class Output(_Part):
    """The contract a reply was asked to keep."""

    type: str
    """The name of the output type, such as `markdown` or `json`."""
    schema_: Json | None = Field(default=None, alias="schema")
    """The JSON Schema itself, or a reference to where it stands."""


class FailedAttempt(_Part):
    """An earlier reply of the same call, and why it was rejected."""

    raw: Text
    """The reply, exactly as written."""
    kind: FailureKind
    """`syntax` or `schema`."""
    reason: str
    """The machine code of the failure."""
    observed: Text
    """What the model was told."""


class ReplyRecord(_Part):
    """One reply of a model, with all that is needed to compare it, replay it and record it again."""

    version: Literal[1] = 1
    """The version of this format."""
    id: str = Field(min_length=1)
    """Unique within a corpus."""
    prompt_id: str = Field(min_length=1)
    """Which prompt was asked. With `sample`, what pairs replies across models and configurations."""
    sample: NonNegativeInt = 0
    """Which repetition of the prompt, from 0."""
    family: str | None = None
    """The kind of task the prompt belongs to."""
    configuration: str | None = None
    """The name of the set-up (parameters, wording) this reply was recorded under."""
    messages: tuple[Message, ...] = ()
    """The prompt as the model received it."""
    model: Model
    """Who wrote it."""
    parameters: dict[str, Json] = Field(default_factory=dict)
    """Sampling parameters, by the names of the program that ran the model."""
    raw: Text
    """The reply, exactly as written; lone surrogates included."""
    finish_reason: str | None = None
    """Why the model stopped, in the provider's words: `stop`, `length`, …"""
    output: Output | None = None
    """The contract the reply was asked to keep, if one is known."""
    attempts: tuple[FailedAttempt, ...] = ()
    """Earlier replies of the same call, oldest first."""
    canonical: Text | None = None
    """The canonical text, if the program that asked also parsed and accepted; it follows from `raw` and the rules."""
    changed: bool | None = None
    """Whether normalisation changed the reply, if the program that asked also parsed and accepted."""
    time: AwareDatetime | None = None
    """When the reply was written."""
    source: str | None = None
    """The program or data set the record came from."""
    source_ref: str | None = None
    """Where in the source it stands."""
    licence: str | None = None
    """The SPDX identifier, or words, under which the text may be used."""
    fidelity: Fidelity = Fidelity.EXACT
    """Whether `raw` is what the model wrote."""
    sha256: str = Field(default="", pattern="^([0-9a-f]{64})?$")
    """Hex SHA-256 of `raw` as UTF-8 (a lone surrogate as its three bytes); filled in if absent, checked if given."""

    @model_validator(mode="before")
    @classmethod
    def _fill_sha256(cls, data: Any) -> Any:  # noqa: ANN401  pydantic hands over whatever it was given
        if isinstance(data, dict) and isinstance(data.get("raw"), str) and not data.get("sha256"):
            return {**data, "sha256": raw_sha256(_join_surrogate_pairs(data["raw"]))}
        return data

    @model_validator(mode="after")
    def _check_sha256(self) -> ReplyRecord:
        if self.sha256 != raw_sha256(self.raw):
            raise ValueError("sha256 does not match raw: the text was altered after it was recorded")
        return self


def raw_sha256(raw: str) -> str:
    """Return the hex SHA-256 of a reply's UTF-8 bytes, a lone surrogate encoded as its three bytes."""
    return hashlib.sha256(raw.encode("utf-8", "surrogatepass")).hexdigest()


def dump_record(record: ReplyRecord) -> bytes:
    """Return the record as one line of UTF-8 JSON with its line end; `load_record` gives back an equal record.

    Unset fields are left out. A lone surrogate, which UTF-8 cannot hold, is written as a JSON escape.
    """
    fields = record.model_dump(mode="json", by_alias=True)
    text = json.dumps(fields, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8", "backslashreplace") + b"\n"


def load_record(line: bytes | str) -> ReplyRecord:
    """Read one line back.

    Raises:
        ValueError: The line is not UTF-8, not JSON, or not a reply record (pydantic's `ValidationError`).
    """
    try:
        fields = json.loads((line if isinstance(line, str) else line.decode("utf-8-sig")).removesuffix("\n"))
    except RecursionError:
        raise ValueError("the JSON is nested too deeply") from None
    return ReplyRecord.model_validate(fields)


def record_json_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of one line, as published in `reply-record.schema.json`."""
    schema = ReplyRecord.model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
