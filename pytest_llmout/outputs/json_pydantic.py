"""Judging JSON with pydantic: anything that a `TypeAdapter` takes is a schema."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from pydantic import PydanticUndefinedAnnotation, PydanticUserError, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError, SchemaError, from_json

from pytest_llmout.contract import Failure, Ok
from pytest_llmout.errors import UsageError
from pytest_llmout.outputs.json_changed import is_kept
from pytest_llmout.outputs.json_observed import explain_validation, explain_validator_error
from pytest_llmout.outputs.json_strict import WHITE_SPACE, JsonText, read_json
from pytest_llmout.outputs.json_traits import schema_traits

T = TypeVar("T")


class PydanticJudge(Generic[T]):
    """Validates in pydantic's JSON mode and dumps the value again."""

    def __init__(self, schema: Any, *, strict: bool | None) -> None:  # noqa: ANN401  what TypeAdapter takes
        self._adapter: TypeAdapter[T] = _adapter(schema)
        self._strict = strict
        # Bound once: on a short reply, looking these up each time would cost as much as reading it.
        self._validate = self._adapter.validator.validate_json
        self._dump = self._adapter.serializer.to_json
        traits = schema_traits(self._adapter.core_schema)
        self._is_verbatim = traits.verbatim
        self._has_defaults = traits.has_defaults
        self._default_keys = traits.default_keys
        self._has_floats = traits.has_floats
        self._has_sets = traits.has_sets
        self._is_read_back = traits.is_read_back

    def judge(self, text: str, *notes: str) -> Ok[T] | Failure:
        """Validate a text; whatever a check in the schema raises is a failure."""
        try:
            if self._is_verbatim and (outcome := self._judge_verbatim(text, notes)):
                return outcome
            read = read_json(text)
            return read if isinstance(read, Failure) else self._judge(read, notes)
        except Exception as error:  # noqa: BLE001  checks in the schema are foreign code that runs on a model's text
            return explain_validator_error(error)

    def json_schema(self) -> dict[str, Any] | None:
        """Return the schema that pydantic generates for validation."""
        try:
            return self._adapter.json_schema()
        except PydanticUserError:
            return None

    def _judge_verbatim(self, text: str, notes: tuple[str, ...]) -> Ok[T] | None:
        """Take the short way: what was set, dumped again, is the reply but for white space. `None` if it is not."""
        try:
            value: T = self._validate(text, strict=self._strict)
        except ValidationError:
            return None
        canonical = self._dump(value, by_alias=True, round_trip=True, warnings=False)
        # NaN and infinity are words of pydantic's, not of JSON; within a string they only cost the longer way.
        if self._has_floats and (b"NaN" in canonical or b"Infinity" in canonical):
            return None
        sent = text.encode()
        squeezed = sent.translate(None, WHITE_SPACE)
        # Where defaults were added, counting spares the translation, which costs more.
        is_as_long = not self._has_defaults or len(squeezed) == len(canonical) - canonical.count(b" ")
        if is_as_long and squeezed == canonical.translate(None, b" "):
            if self._has_defaults and not self._is_all_set(sent, canonical):
                return None
        elif not self._has_defaults or not self._is_read_back or not self._says_only(squeezed, value):
            return None
        return Ok(value, canonical.decode(), False, notes)  # noqa: FBT003  keywords would cost a tenth of a short reply

    def _is_all_set(self, sent: bytes, canonical: bytes) -> bool:
        """Say whether the reply has all keys of the dump, and not one instead that only white space sets apart."""
        return all(sent.count(key) == canonical.count(key) for key in self._default_keys)

    def _says_only(self, squeezed: bytes, value: T) -> bool:
        """Say whether the reply is the dump without its defaults."""
        said = self._dump(value, by_alias=True, round_trip=True, warnings=False, exclude_unset=True)
        return bool(squeezed == said.translate(None, b" "))

    def _judge(self, read: JsonText, notes: tuple[str, ...]) -> Ok[T] | Failure:
        # The compact text is validated, not the reply: it is the same value with duplicate keys settled.
        try:
            value: T = self._validate(read.compact, strict=self._strict)
        except ValidationError as error:
            return explain_validation(error, read.tree)
        canonical, kept = self._canonical(value, read)
        if read.duplicate_keys:
            return Ok(value, canonical.decode(), changed=True, notes=(*notes, "duplicate_keys"))
        return Ok(value, canonical.decode(), changed=not kept, notes=notes)

    def _canonical(self, value: T, read: JsonText) -> tuple[bytes, bool]:
        """Return the canonical text, and whether it keeps all that was sent."""
        canonical = None if self._has_sets else self._dump_or_none(value)
        if canonical is not None and canonical != read.compact:
            kept = is_kept(read.tree, from_json(canonical))
            if (kept and self._is_read_back) or self._reads_back(value, canonical):
                return canonical, kept
        # Where a value cannot be written back (a secret, a set, a one-way serializer), what was sent stands for it.
        return read.compact, read.exact or is_kept(read.tree, from_json(read.compact))

    def _dump_or_none(self, value: T) -> bytes | None:
        try:
            return self._dump(value, by_alias=True, round_trip=True, warnings=False)
        except PydanticSerializationError:
            return None

    def _reads_back(self, value: T, canonical: bytes) -> bool:
        try:
            again = self._validate(canonical, strict=self._strict)
        except ValidationError:
            return False
        return bool(again == value) and self._dump_or_none(again) == canonical


def _adapter(schema: Any) -> TypeAdapter[Any]:  # noqa: ANN401  what TypeAdapter takes
    try:
        adapter = TypeAdapter(schema)
        if not adapter.pydantic_complete:
            adapter.rebuild()
    except (PydanticUserError, PydanticUndefinedAnnotation, SchemaError) as error:
        why = " ".join(str(error).split()).partition(" For further information")[0]
        raise UsageError(f"{schema!r} is no schema that pydantic understands: {why}") from error
    return adapter
