"""What the providers' documentation allows in a schema, as tables that say which rule a schema breaks.

Written from the documentation, apart from the code that rewrites schemas: the two must agree.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

Schema = dict[str, Any]
TYPES = {"string", "number", "boolean", "integer", "object", "array", "null"}
MAPS = ("properties", "$defs")
LISTS = ("anyOf", "prefixItems")
ONES = ("items", "additionalProperties")


def every(schema: object) -> Iterator[Schema]:
    if isinstance(schema, dict):
        yield schema
        for key in MAPS:
            for inner in schema.get(key, {}).values():
                yield from every(inner)
        for key in LISTS:
            for inner in schema.get(key, ()):
                yield from every(inner)
        for key in ONES:
            yield from every(schema.get(key))


def unknown_keywords(schema: Schema, allowed: str) -> set[str]:
    return {key for inner in every(schema) for key in inner} - set(allowed.split())


def open_objects(schema: Schema) -> list[Schema]:
    objects = [inner for inner in every(schema) if "properties" in inner or inner.get("type") == "object"]
    return [inner for inner in objects if inner.get("additionalProperties") is not False]


def crowded_references(schema: Schema) -> list[Schema]:
    return [inner for inner in every(schema) if "$ref" in inner and set(inner) - {"$ref", "$defs"}]


def dangling_references(root: Schema) -> list[str]:
    known = {"#", *(f"#/$defs/{name}" for name in root.get("$defs", {}))}
    return [inner["$ref"] for inner in every(root) if "$ref" in inner and inner["$ref"] not in known]


def wrong_types(schema: Schema) -> list[Any]:
    found = [inner["type"] for inner in every(schema) if "type" in inner]
    return [kind for kind in found if not set([kind] if isinstance(kind, str) else kind) <= TYPES]


def openai_faults(request: Schema) -> Iterator[object]:
    form = request["response_format"]["json_schema"]
    schema = form["schema"]
    yield request["response_format"]["type"] != "json_schema" or form["strict"] is not True
    yield re.fullmatch("[A-Za-z0-9_-]{1,64}", form["name"]) is None
    yield schema.get("type") != "object" or "anyOf" in schema
    yield unknown_keywords(
        schema,
        "$defs $ref type properties required additionalProperties items anyOf enum const title description pattern"
        " format multipleOf maximum exclusiveMaximum minimum exclusiveMinimum minItems maxItems",
    )
    yield open_objects(schema)
    yield [inner for inner in every(schema) if inner.get("required", []) != list(inner.get("properties", {}))]
    yield [inner for inner in every(schema) if inner.get("type") == "array" and "items" not in inner]
    yield [inner for inner in every(schema) if not inner.keys() & {"type", "anyOf", "$ref", "enum", "const"}]
    formats = {"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}
    yield {inner["format"] for inner in every(schema) if "format" in inner} - formats
    yield [*crowded_references(schema), *dangling_references(schema), *wrong_types(schema)]


def anthropic_faults(request: Schema) -> Iterator[object]:
    form = request["output_config"]["format"]
    schema = form["schema"]
    yield form["type"] != "json_schema"
    yield unknown_keywords(
        schema,
        "$defs $ref type properties required additionalProperties items anyOf enum const title description default"
        " pattern format minItems",
    )
    yield open_objects(schema)
    yield {inner["minItems"] for inner in every(schema) if "minItems" in inner} - {0, 1}
    yield [value for inner in every(schema) for value in inner.get("enum", ()) if isinstance(value, list | dict)]
    formats = {"date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"}
    yield {inner["format"] for inner in every(schema) if "format" in inner} - formats
    yield [*crowded_references(schema), *dangling_references(schema), *wrong_types(schema)]
    yield depends_on_itself(schema)


def gemini_faults(request: Schema) -> Iterator[object]:
    config = request["generationConfig"]
    schema = config["responseJsonSchema"]
    yield config["responseMimeType"] != "application/json"
    yield unknown_keywords(
        schema,
        "$id $defs $ref $anchor type format title description enum items prefixItems minItems maxItems minimum maximum"
        " anyOf properties additionalProperties required propertyOrdering",
    )
    yield [
        value
        for inner in every(schema)
        for value in inner.get("enum", ())
        if isinstance(value, bool) or not isinstance(value, str | int | float)
    ]
    yield [inner for inner in every(schema) if inner.get("propertyOrdering", []) != list(inner.get("properties", {}))]
    yield [*crowded_references(schema), *dangling_references(schema), *wrong_types(schema)]


def ollama_faults(request: Schema) -> Iterator[object]:
    schema = request["format"]
    yield unknown_keywords(
        schema,
        "$defs $ref type properties required additionalProperties items prefixItems anyOf enum const title description"
        " pattern format minLength maxLength minItems maxItems minimum maximum exclusiveMinimum exclusiveMaximum",
    )
    bounds = {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}
    yield [inner for inner in every(schema) if bounds & inner.keys() and inner.get("type") != "integer"]
    yield [inner for inner in every(schema) if re.fullmatch(r"\^.*\$", inner.get("pattern", "^$")) is None]
    yield [*crowded_references(schema), *dangling_references(schema), *wrong_types(schema)]


def depends_on_itself(root: Schema) -> bool:
    def reaches(name: str, seen: frozenset[str]) -> bool:
        inner = root["$defs"][name]
        targets = [one["$ref"].rpartition("/")[2] for one in every(inner) if "$ref" in one]
        return any(target in seen or reaches(target, seen | {target}) for target in targets)

    return any(reaches(name, frozenset({name})) for name in root.get("$defs", {}))
