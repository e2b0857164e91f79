"""A strategy for JSON values that fit a JSON Schema, or nearly so: what else a schema asks is left to a filter."""

from __future__ import annotations

from math import ceil, floor
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Mapping

Schema = dict[str, Any]
Values = st.SearchStrategy[Any]

_LARGEST = 2**53
_LETTERS = st.sampled_from('abA e\u0301\\"é重\U0001f680\n`*{}')
_WORDS = st.text(_LETTERS, max_size=8)
_FORMATS: Mapping[str, Values] = {
    "date": st.dates().map(str),
    "date-time": st.datetimes(timezones=st.just(None)).map(lambda moment: f"{moment.isoformat()}Z"),
    "time": st.times().map(lambda time: time.isoformat()),
    "uuid": st.uuids().map(str),
    "email": st.just("a@example.com"),
    "uri": st.just("https://example.com/a"),
    "duration": st.just("P1DT2H"),
}
_ANYTHING = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-_LARGEST, _LARGEST), st.floats(-1e9, 1e9), _WORDS),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(_WORDS, inner, max_size=3)),
    max_leaves=5,
)


def json_values(  # noqa: PLR0911  one for each keyword
    schema: Schema | bool,  # noqa: FBT001  `true` is a schema
    definitions: Mapping[str, Schema] | None = None,
) -> Values:
    """Return values of a schema; `true` is the schema of everything."""
    if not isinstance(schema, dict) or not schema:
        return _ANYTHING
    known = {**(definitions or {}), **schema.get("$defs", {})}
    match schema:
        case {"$ref": str(name)}:
            return st.deferred(lambda: json_values(known.get(name.rpartition("/")[2], {}), known))
        case {"const": value}:
            return st.just(value)
        case {"enum": values}:
            return st.sampled_from(values)
        case {"anyOf": [*several]} | {"oneOf": [*several]}:
            return st.one_of([json_values(one, known) for one in several])
        case {"allOf": [*several]}:
            merged = {key: value for one in several for key, value in one.items()}
            return json_values(merged, known)
        case {"type": [*kinds]}:
            return st.one_of([json_values({**schema, "type": kind}, known) for kind in kinds])
        case _:
            return _typed(schema, known)


def _typed(schema: Schema, known: Mapping[str, Schema]) -> Values:  # noqa: PLR0911  one for each type
    match schema.get("type", "object" if "properties" in schema else None):
        case "object":
            return _objects(schema, known)
        case "array":
            return _arrays(schema, known)
        case "string":
            return _strings(schema)
        case "integer":
            low, high = _bounds(schema, step=1)
            return st.integers(ceil(low), floor(high))
        case "number":
            low, high = _bounds(schema, step=0)
            return st.floats(
                low, high, exclude_min="exclusiveMinimum" in schema, exclude_max="exclusiveMaximum" in schema
            )
        case "boolean":
            return st.booleans()
        case "null":
            return st.none()
        case _:
            return _ANYTHING


def _objects(schema: Schema, known: Mapping[str, Schema]) -> Values:
    fields = {name: json_values(inner, known) for name, inner in schema.get("properties", {}).items()}
    required = {name: fields.get(name, _ANYTHING) for name in schema.get("required", ())}
    optional = {name: values for name, values in fields.items() if name not in required}
    more = schema.get("additionalProperties", False)
    if fields or not more:
        return st.fixed_dictionaries(required, optional=optional)
    return st.dictionaries(_WORDS, json_values(more, known), min_size=schema.get("minProperties", 0), max_size=4)


def _arrays(schema: Schema, known: Mapping[str, Schema]) -> Values:
    if first := schema.get("prefixItems"):
        return st.tuples(*(json_values(one, known) for one in first)).map(list)
    least = schema.get("minItems", 0)
    return st.lists(
        json_values(schema.get("items", True), known),
        min_size=least,
        max_size=min(schema.get("maxItems", least + 4), least + 4),
        unique_by=repr if schema.get("uniqueItems") else None,
    )


def _strings(schema: Schema) -> Values:
    if schema.get("format") in _FORMATS:
        return _FORMATS[schema["format"]]
    if "pattern" in schema:
        return st.from_regex(schema["pattern"])
    least = schema.get("minLength", 0)
    return st.text(_LETTERS, min_size=least, max_size=schema.get("maxLength", least + 8))


def _bounds(schema: Schema, *, step: int) -> tuple[float, float]:
    low = schema.get("minimum", schema.get("exclusiveMinimum", -_LARGEST - step) + step)
    high = schema.get("maximum", schema.get("exclusiveMaximum", _LARGEST + step) - step)
    return low, high
