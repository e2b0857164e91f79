"""Judging JSON with a JSON Schema, given as a dict, a file or a definition of a file; needs the extra `[schema]`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jsonschema import SchemaError
from jsonschema.exceptions import best_match
from jsonschema.validators import Draft202012Validator, validator_for
from pydantic_core import from_json, to_json
from referencing import Registry, Resource
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012

from pytest_llmout.contract import Failure, Ok
from pytest_llmout.errors import UsageError
from pytest_llmout.outputs.json_changed import is_kept
from pytest_llmout.outputs.json_observed import explain_validator_error, json_path, schema_failure, seen
from pytest_llmout.outputs.json_strict import read_json
from pytest_llmout.outputs.one_line import excerpt, one_line

if TYPE_CHECKING:
    from os import PathLike

    from jsonschema import ValidationError
    from referencing._core import Resolver

_NAMED = 5
_DEFINITIONS = ("/$defs/", "/definitions/")
_TYPE_NAMES = {"array": "an array", "integer": "an integer", "null": "null", "object": "an object"}
# Up to here every integer is a double too.
_LARGEST_EXACT = 2**53


class JsonSchemaJudge:
    """Validates with the `jsonschema` library; the value is the JSON itself."""

    def __init__(self, schema: Mapping[str, Any] | str | PathLike[str]) -> None:
        if isinstance(schema, Mapping):
            where, self._schema = "the JSON Schema", dict(schema)
        else:
            where, self._schema = str(schema), _read(str(schema))
        kind = validator_for(self._schema, default=Draft202012Validator)
        resource: Resource[Any] = Resource.from_contents(self._schema, default_specification=DRAFT202012)
        registry: Registry[Any] = Registry().with_resource(resource.id() or "", resource)
        try:
            kind.check_schema(self._schema)
            _look_up_references(resource, registry.resolver_with_root(resource))
        except SchemaError as error:
            raise UsageError(one_line(f"{where}: no valid JSON Schema: {_complaint(error)}")) from error
        except Unresolvable as error:
            reason = "is not in the schema, and no other file or address is read"
            raise UsageError(f"{where}: the reference {error.ref!r} {reason}") from error
        self._validator = kind(self._schema, registry=registry, format_checker=kind.FORMAT_CHECKER)

    def judge(self, text: str, *notes: str) -> Ok[Any] | Failure:
        """Validate a text; the canonical text has its keys sorted and whole numbers without a fraction."""
        read = read_json(text)
        if isinstance(read, Failure):
            return read
        value = from_json(read.compact)
        try:
            failure = self._failure(value)
        except Exception as error:  # noqa: BLE001  patterns and references of the schema run on a model's text
            return explain_validator_error(error)
        if failure is not None:
            return failure
        normal = _normal(value)
        if read.duplicate_keys:
            return Ok(normal, to_json(normal).decode(), changed=True, notes=(*notes, "duplicate_keys"))
        return Ok(normal, to_json(normal).decode(), changed=not (read.exact or is_kept(read.tree, normal)), notes=notes)

    def json_schema(self) -> dict[str, Any]:
        """Return the schema as it was given."""
        return self._schema

    def _failure(self, value: Any) -> Failure | None:  # noqa: ANN401  any JSON value
        errors = self._validator.iter_errors(value)
        # One missing key among several is reported once for each of them.
        named = list(dict.fromkeys(map(_complaint, islice(errors, _NAMED))))
        return schema_failure(named, total=len(named) + sum(1 for _ in errors)) if named else None


def _read(reference: str) -> dict[str, Any]:
    """Read `file.json`, or one definition of it as `file.json#/$defs/Name`."""
    name, _, pointer = (reference, "", "") if Path(reference).exists() else reference.partition("#")
    document = _load(Path(name))
    if not pointer:
        return document
    if not pointer.startswith(_DEFINITIONS):
        raise UsageError(f"{reference}: of a file, only a definition can be named, as in {name}#/$defs/Name")
    kept = ("$schema", "$id", "$defs", "definitions")
    return {**{key: document[key] for key in kept if key in document}, "$ref": f"#{pointer}"}


def _load(path: Path) -> dict[str, Any]:
    try:
        schema = json.loads(path.read_bytes())
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: not UTF-8 text (byte {error.start + 1})") from error
    except RecursionError as error:
        raise UsageError(f"{path}: the JSON is nested too deeply") from error
    except ValueError as error:
        raise UsageError(f"{path}: not JSON: {error}") from error
    if not isinstance(schema, dict):
        raise UsageError(f"{path}: a JSON Schema is an object, this is {seen(schema)}")
    return schema


def _look_up_references(resource: Resource[Any], resolver: Resolver[Any]) -> None:
    if isinstance(resource.contents, dict) and isinstance(reference := resource.contents.get("$ref"), str):
        resolver.lookup(reference)
    for inner in resource.subresources():
        _look_up_references(inner, resolver.in_subresource(inner))


def _normal(value: Any) -> Any:  # noqa: ANN401  any JSON value
    match value:
        case dict():
            return {key: _normal(value[key]) for key in sorted(value)}
        case list():
            return [_normal(item) for item in value]
        case float() if value.is_integer() and abs(value) <= _LARGEST_EXACT:
            return int(value)
        case _:
            return value


def _complaint(error: ValidationError | SchemaError) -> str:
    if error.validator in {"anyOf", "oneOf"} and error.context:
        # An alternative of the right type came nearest to what the model meant.
        nearest = [inner for inner in error.context if inner.validator != "type"] or error.context
        error = best_match(iter(nearest)) or error
    return f"{json_path(list(error.absolute_path))}{_words(error)}"


def _words(error: ValidationError | SchemaError) -> str:
    rule: Any = error.validator_value
    instance: Any = error.instance
    found = f", but found {seen(instance)}"
    match error.validator:
        case "required":
            return f": {_keys([key for key in rule if key not in instance])} required but missing"
        case "additionalProperties" | "unevaluatedProperties" if rule is False:
            schema: Any = error.schema
            return f": {_keys([key for key in instance if key not in schema.get('properties', {})])} not in the schema"
        case "type":
            names = [rule] if isinstance(rule, str) else rule
            return f": expected {' or '.join(_TYPE_NAMES.get(name, f'a {name}') for name in names)}{found}"
        case "enum":
            return f": expected {excerpt(' or '.join(map(seen, rule)), 120)}{found}"
        case "const":
            return f": expected {seen(rule)}{found}"
        case keyword:
            return f": expected {keyword} {seen(rule)}{found}"


def _keys(keys: list[str]) -> str:
    shown = ", ".join(map(seen, keys[:_NAMED]))
    more = f" and {len(keys) - _NAMED} more" if len(keys) > _NAMED else ""
    return f"{shown}{more} {'is' if len(keys) == 1 else 'are'}"
