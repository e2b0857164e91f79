"""Measures of a JSON Schema that providers set limits to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator


def subschemas(schema: Any) -> Iterator[dict[str, Any]]:  # noqa: ANN401  a schema is a dict or a bool
    """Yield a schema and every schema in it, definitions included, references not followed."""
    if not isinstance(schema, dict):
        return
    yield schema
    for key, value in schema.items():
        if key in {"properties", "$defs"}:
            inner = list(value.values())
        elif key in {"anyOf", "oneOf", "allOf", "prefixItems"}:
            inner = value
        elif key in {"items", "additionalProperties", "not"}:
            inner = [value]
        else:
            continue
        for one in inner:
            yield from subschemas(one)


def names(schema: dict[str, Any]) -> list[str]:
    """Return the keys of all objects."""
    return [name for inner in subschemas(schema) for name in inner.get("properties", {})]


def enum_values(schema: dict[str, Any]) -> list[Any]:
    """Return the values of all enumerations and constants."""
    found = [inner.get("enum", [inner["const"]] if "const" in inner else []) for inner in subschemas(schema)]
    return [value for values in found for value in values]


def nesting(schema: Any) -> int:  # noqa: ANN401  a schema is a dict or a bool
    """Return how deep objects and arrays stand in each other, references not followed."""
    if not isinstance(schema, dict):
        return 0
    inner = [*schema.get("properties", {}).values(), schema.get("items")]
    beside = [*schema.get("anyOf", ()), *schema.get("$defs", {}).values()]
    own = 1 + max(map(nesting, inner), default=0) if schema.keys() & {"properties", "items"} else 0
    return max([own, *map(nesting, beside)])


def references(schema: dict[str, Any]) -> dict[str, set[str]]:
    """Return which definitions each definition refers to; the schema outside them stands under `""`."""
    outside = {key: value for key, value in schema.items() if key != "$defs"}
    parts = {"": outside, **{f"#/$defs/{name}": inner for name, inner in schema.get("$defs", {}).items()}}
    return {
        name: {inner["$ref"] for inner in subschemas(part) if "$ref" in inner} & parts.keys()
        for name, part in parts.items()
    }


def is_recursive(schema: dict[str, Any]) -> bool:
    """Say whether a schema contains itself."""
    edges = references(schema)
    while edges:
        leaves = {name for name, targets in edges.items() if not targets}
        if not leaves:
            return True
        edges = {name: targets - leaves for name, targets in edges.items() if name not in leaves}
    return any("$ref" in inner and inner["$ref"] == "#" for inner in subschemas(schema))
