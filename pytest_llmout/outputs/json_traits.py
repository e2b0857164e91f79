"""What a pydantic schema promises about the text of its values: the licence for a shorter way through `parse`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# Types whose values are written as they were read, or visibly otherwise (in more than white space within a string).
_VERBATIM = frozenset(
    (
        "any",
        "bool",
        "dataclass",
        "dataclass-args",
        "dataclass-field",
        "date",
        "datetime",
        "default",
        "definition-ref",
        "definitions",
        "dict",
        "enum",
        "float",
        "int",
        "list",
        "literal",
        "model",
        "model-field",
        "model-fields",
        "none",
        "nullable",
        "str",
        "tagged-union",
        "time",
        "timedelta",
        "tuple",
        "typed-dict",
        "typed-dict-field",
        "union",
        "uuid",
    )
)
# Settings under which user code or pydantic rewrites a value.
_REWRITING = ("custom_init", "missing", "post_init", "serialization", "str_strip_whitespace", "strip_whitespace")
_NOT_SCHEMAS = frozenset(("cls", "config", "default", "expected", "members", "metadata", "ref", "serialization"))
_STRUCTURAL = frozenset('{}[]:,"\\ \t\n\r')
_SCALARS = {"bool": bool, "int": int, "str": str}
_CONTAINERS = {"dict": dict, "list": list}


@dataclass(frozen=True, slots=True)
class Traits:
    """What can be relied on for every value of a schema."""

    verbatim: bool
    """A dump that equals the reply but for white space says exactly what the reply says."""
    has_defaults: bool
    """A dump may hold more than the reply."""
    default_keys: tuple[bytes, ...]
    """The keys that a dump may hold and the reply not, each as it stands in JSON."""
    has_floats: bool
    """A dump may hold NaN or an infinity."""
    has_mappings: bool
    """A dump may hold keys that the schema does not name, in the order in which they were sent."""
    has_marks: bool
    """A dump may hold sets, whose items are in any order, or decimals, which are written as strings."""
    is_lazy: bool
    """A value may hold an iterator, whose items are checked only when it is read."""
    is_read_back: bool
    """A dump that keeps all of the reply is read as the same value, whatever defaults were added."""


def schema_traits(schema: Mapping[str, Any]) -> Traits:
    """Read the traits off a core schema; what is not known to be safe is taken for unsafe."""
    nodes = list(_nodes(schema))
    types = {node["type"] for node in nodes}
    defaults = [node for node in nodes if node["type"] == "default"]
    rewrites = any(map(_rewrites, nodes))
    keys = {key for node in nodes for key in _default_keys(node)}
    return Traits(
        # A dataclass does not remember which of its fields were set; a key like `:` is also found between two strings.
        verbatim=not (rewrites or (defaults and "dataclass" in types) or _STRUCTURAL & set().union(*keys)),
        has_defaults=bool(defaults),
        default_keys=tuple(f'"{key}"'.encode() for key in sorted(keys)),
        has_mappings=bool(types & {"any", "dict"}) or any(map(_takes_extras, nodes)),
        has_marks=bool(types & {"decimal", "frozenset", "set"}),
        is_lazy="generator" in types,
        has_floats=bool(types & {"any", "float"}),
        # A default can make another member of a union the better fit.
        is_read_back=not rewrites and all(map(_is_valid_default, defaults)) and not types & {"union", "tagged-union"},
    )


def _nodes(schema: Any) -> Iterator[dict[str, Any]]:  # noqa: ANN401  a core schema nests dicts, lists and tuples
    match schema:
        case {"type": str()}:
            yield schema
            for key, inner in schema.items():
                if key not in _NOT_SCHEMAS:
                    yield from _nodes(inner)
        case dict():
            for inner in schema.values():
                yield from _nodes(inner)
        case list() | tuple():
            for inner in schema:
                yield from _nodes(inner)


def _default_keys(node: Mapping[str, Any]) -> Iterator[str]:
    fields = node.get("fields")
    if isinstance(fields, dict):
        for name, inner in fields.items():
            if inner["schema"]["type"] == "default":
                yield inner.get("serialization_alias", name)


def _takes_extras(node: Mapping[str, Any]) -> bool:
    return "allow" in (node.get("extra_behavior"), (node.get("config") or {}).get("extra_fields_behavior"))


def _rewrites(node: Mapping[str, Any]) -> bool:
    settings = {**node, **(node.get("config") or {})}
    has_other_keys = node["type"] == "dict" and node.get("keys_schema", {}).get("type", "any") not in {"any", "str"}
    return has_other_keys or node["type"] not in _VERBATIM or any(settings.get(key) for key in _REWRITING)


def _is_valid_default(node: Mapping[str, Any]) -> bool:
    inner = node["schema"]
    kind = inner["type"]
    if kind in _CONTAINERS:
        made = node["default_factory"]() if node.get("default_factory") is _CONTAINERS[kind] else node.get("default")
        return type(made) is _CONTAINERS[kind] and not made and "min_length" not in inner
    if "default" not in node:
        return False
    default = node["default"]
    if kind in _SCALARS:
        return type(default) is _SCALARS[kind] and set(inner) <= {"type", "metadata"}
    return default is None and kind in {"any", "none", "nullable"}
