"""Judging JSON with pydantic: anything that a `TypeAdapter` takes is a schema."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pydantic import PydanticUserError, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError, from_json

from pytest_llmout.contract import Failure, Ok
from pytest_llmout.errors import UsageError
from pytest_llmout.outputs.json_changed import is_kept
from pytest_llmout.outputs.json_observed import explain_validation, explain_validator_error

if TYPE_CHECKING:
    from pytest_llmout.outputs.json_strict import JsonText

T = TypeVar("T")


class PydanticJudge(Generic[T]):
    """Validates in pydantic's JSON mode and dumps the value again."""

    def __init__(self, schema: Any, *, strict: bool | None) -> None:  # noqa: ANN401  what TypeAdapter takes
        try:
            self._adapter: TypeAdapter[T] = TypeAdapter(schema)
        except PydanticUserError as error:
            raise UsageError(f"{schema!r} is no schema that pydantic understands: {error.message}") from error
        self._strict = strict

    def judge(self, text: JsonText) -> Ok[T] | Failure:
        """Validate a value; whatever a check in the schema raises is a failure."""
        try:
            return self._judge(text)
        except ValidationError as error:
            return explain_validation(error, text.tree)
        except Exception as error:  # noqa: BLE001  checks in the schema are foreign code that runs on a model's text
            return explain_validator_error(error)

    def json_schema(self) -> dict[str, object] | None:
        """Return the schema that pydantic generates for validation."""
        try:
            return self._adapter.json_schema()
        except PydanticUserError:
            return None

    def _judge(self, text: JsonText) -> Ok[T]:
        # The compact text is validated, not the reply: it is the same value with duplicate keys settled.
        value = self._adapter.validator.validate_json(text.compact, strict=self._strict)
        canonical = self._dump(value)
        if canonical == text.compact:
            return Ok(value, canonical.decode(), changed=not text.exact and _is_changed(text, canonical))
        if canonical is None or not self._is_read_back(value, canonical):
            # What cannot be written back (a secret, a one-way serializer) has no better text than the one it came in.
            return Ok(value, text.compact.decode(), changed=_is_changed(text, text.compact))
        return Ok(value, canonical.decode(), changed=_is_changed(text, canonical))

    def _dump(self, value: T) -> bytes | None:
        try:
            return self._adapter.serializer.to_json(value, by_alias=True, round_trip=True, warnings=False)
        except PydanticSerializationError:
            return None

    def _is_read_back(self, value: T, canonical: bytes) -> bool:
        try:
            again = self._adapter.validator.validate_json(canonical, strict=self._strict)
        except ValidationError:
            return False
        return bool(again == value) and self._dump(again) == canonical


def _is_changed(text: JsonText, canonical: bytes) -> bool:
    return text.duplicate_keys or not is_kept(text.tree, from_json(canonical))
