"""Judging JSON with pydantic: anything that a `TypeAdapter` takes is a schema."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pydantic import PydanticUndefinedAnnotation, PydanticUserError, TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError, SchemaError, from_json, to_json

from pytest_llmout.contract import Failure, Ok
from pytest_llmout.errors import UsageError
from pytest_llmout.outputs.json_changed import is_kept
from pytest_llmout.outputs.json_observed import explain_validation, explain_validator_error
from pytest_llmout.outputs.json_order import is_in_order, marked, ordered_json
from pytest_llmout.outputs.json_strict import WHITE_SPACE, JsonText, read_json
from pytest_llmout.outputs.json_traits import schema_traits

if TYPE_CHECKING:
    from collections.abc import Callable

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
        if traits.is_lazy:
            raise UsageError(f"{schema!r} holds an iterator, which is not checked until it is read: use a list")
        self._is_verbatim = traits.verbatim
        self._has_defaults = traits.has_defaults
        self._default_keys = traits.default_keys
        self._has_floats = traits.has_floats
        self._has_mappings = traits.has_mappings
        self._has_marks = traits.has_marks
        self._is_read_back = traits.is_read_back

    def judge(self, text: str, *notes: str) -> Ok[T] | Failure:
        """Validate a text; whatever a check in the schema raises is a failure."""
        try:
            return self._judge_verbatim(text, notes) if self._is_verbatim else self._judge_exactly(text, notes)
        except Exception as error:  # noqa: BLE001  checks in the schema are foreign code that runs on a model's text
            return explain_validator_error(error)

    def json_schema(self) -> dict[str, Any] | None:
        """Return the schema that pydantic generates for validation."""
        try:
            return self._adapter.json_schema()
        except PydanticUserError:
            return None

    def _judge_verbatim(self, text: str, notes: tuple[str, ...]) -> Ok[T] | Failure:
        """Take the short way: what was set, dumped again, is the reply but for white space. If not, the long one."""
        try:
            value: T = self._validate(text, strict=self._strict)
        except ValidationError:
            return self._judge_exactly(text, notes)
        canonical = self._dump(value, by_alias=True, round_trip=True, warnings=False)
        if self._is_said(text.encode(), value, canonical):
            if self._has_mappings and not self._is_read_back and not is_in_order(value):
                return self._judge_exactly(text, notes, (value, canonical))
            canonical = self._in_order(value, canonical)
            # Keywords would cost a tenth of a short reply.
            return Ok(value, canonical.decode(), False, notes)  # noqa: FBT003
        return self._judge_exactly(text, notes, (value, canonical))

    def _in_order(self, value: T, dumped: bytes) -> bytes:
        """Put the keys of mappings in order in a dump that can be read back."""
        if not self._has_mappings or is_in_order(value):
            return dumped
        again = self._validate(ordered_json(from_json(dumped)), strict=self._strict)
        return self._dump(again, by_alias=True, round_trip=True, warnings=False)

    def _is_said(self, sent: bytes, value: T, canonical: bytes) -> bool:
        """Say whether the reply is the dump, or the dump without its defaults, but for white space."""
        # NaN and infinity are words of pydantic's, not of JSON; within a string they only cost the longer way.
        if self._has_floats and (b"NaN" in canonical or b"Infinity" in canonical):
            return False
        if sent == canonical:
            return True
        squeezed = sent.translate(None, WHITE_SPACE)
        # Where defaults were added, counting spares the translation, which costs more.
        is_as_long = not self._has_defaults or len(squeezed) == len(canonical) - canonical.count(b" ")
        if is_as_long:
            is_equal = squeezed == canonical.translate(None, b" ")
            return is_equal and (not self._has_defaults or self._is_all_set(sent, canonical))
        return self._is_read_back and self._says_only(squeezed, value)

    def _is_all_set(self, sent: bytes, canonical: bytes) -> bool:
        """Say whether the reply has all keys of the dump, and not one instead that only white space sets apart."""
        return all(sent.count(key) == canonical.count(key) for key in self._default_keys)

    def _says_only(self, squeezed: bytes, value: T) -> bool:
        """Say whether the reply is the dump without its defaults."""
        said = self._dump(value, by_alias=True, round_trip=True, warnings=False, exclude_unset=True)
        return bool(squeezed == said.translate(None, b" "))

    def _judge_exactly(
        self, text: str, notes: tuple[str, ...], known: tuple[T, bytes | None] | None = None
    ) -> Ok[T] | Failure:
        """Compare what was sent with the value; `known` is that value and its dump, where the text was validated."""
        read = read_json(text)
        if isinstance(read, Failure):
            return read
        if known is None or not read.exact:
            # The compact text is validated, not the reply: it is the same value with duplicate keys settled.
            try:
                value = self._validate(read.compact, strict=self._strict)
            except ValidationError as error:
                return explain_validation(error, read.tree)
            known = value, self._dump_or_none(value)
        canonical, kept = self._canonical(*known, read)
        met = (*notes, "duplicate_keys") if read.duplicate_keys else notes
        return Ok(known[0], canonical.decode(), changed=read.duplicate_keys or not kept, notes=met)

    def _canonical(self, value: T, dumped: bytes | None, read: JsonText) -> tuple[bytes, bool]:
        """Return the canonical text, and whether it keeps all that was sent."""
        if dumped is not None:
            if self._is_read_back and is_kept(read.tree, from_json(dumped)):
                return self._in_order(value, dumped), True
            # Only a mapping that compares its order, such as an OrderedDict, keeps it.
            for write in (ordered_json, to_json):
                if (settled := self._settled(value, dumped, write)) is not None:
                    canonical, tree = settled
                    return canonical, is_kept(read.tree, tree)
        # Where a value cannot be written back (a secret, a one-way serializer), what was sent stands for it.
        sent = from_json(read.compact)
        ordered = ordered_json(sent)
        canonical = ordered if self._read_back(value, ordered) else read.compact
        return canonical, read.exact or is_kept(read.tree, sent)

    def _settled(self, value: T, dumped: bytes, write: Callable[[Any], bytes]) -> tuple[bytes, Any] | None:
        """Return the text of a value that does not depend on how the reply was spelled, and what it says.

        It is the dump, read and dumped again with all keys in order: those of models come back in the schema's own.
        There is none if the value is not the same then.
        """
        try:
            written = write(self._tree(value, dumped))
            again = self._read_back(value, written)
            canonical = self._dump_or_none(again[0]) if again else None
            tree = None if canonical is None else self._tree(again[0], canonical)
        except (ValueError, TypeError):  # infinity, which is not JSON; keys or items that fall together
            return None
        if canonical is None or write(tree) != written:
            return None
        return to_json(tree) if self._has_marks else canonical, tree

    def _read_back(self, value: T, text: bytes) -> tuple[T, ...]:
        """Return what a text is read as if it is an equal value, else nothing."""
        try:
            again = self._validate(text, strict=self._strict)
            is_equal = bool(again == value)
        except Exception:  # noqa: BLE001  a value whose comparison crashes is not known to be equal
            return ()
        return (again,) if is_equal else ()

    def _tree(self, value: T, dumped: bytes) -> Any:  # noqa: ANN401  any JSON value
        """Read a dump; where it has sets and decimals, they are marked and the sets sorted."""
        tree = from_json(dumped, allow_inf_nan=False)
        if not self._has_marks:
            return tree
        return marked(tree, self._adapter.serializer.to_python(value, by_alias=True, round_trip=True, warnings=False))

    def _dump_or_none(self, value: T) -> bytes | None:
        try:
            return self._dump(value, by_alias=True, round_trip=True, warnings=False)
        except PydanticSerializationError:
            return None


def _adapter(schema: Any) -> TypeAdapter[Any]:  # noqa: ANN401  what TypeAdapter takes
    try:
        adapter = TypeAdapter(schema)
        if not adapter.pydantic_complete:
            adapter.rebuild()
    except (PydanticUserError, PydanticUndefinedAnnotation, SchemaError) as error:
        why = " ".join(str(error).split()).partition(" For further information")[0]
        raise UsageError(f"{schema!r} is no schema that pydantic understands: {why}") from error
    return adapter
