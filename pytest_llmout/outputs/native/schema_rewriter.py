"""Rewriting a JSON Schema into the part of JSON Schema that a provider enforces, and keeping account of the rest."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pytest_llmout.outputs.native.references import resolve
from pytest_llmout.outputs.one_line import excerpt

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

# Keywords that constrain nothing: they may be dropped without a word.
ANNOTATIONS = frozenset(
    (
        *(
            "$anchor",
            "$comment",
            "$id",
            "$schema",
            "contentEncoding",
            "contentMediaType",
            "default",
            "deprecated",
            "description",
        ),
        *("discriminator", "examples", "readOnly", "title", "writeOnly"),
    )
)
_DEFINITION = re.compile(r"#|#/(?:\$defs|definitions)/[^/~%]+")
_SCALARS = ["string", "number", "boolean", "null"]


@dataclass(frozen=True, slots=True)
class SchemaRules:
    """What a provider takes of JSON Schema."""

    keywords: Mapping[str, Callable[[Any], bool]]
    """Keywords without schemas inside that are enforced, each with the values for which that holds."""
    annotations: frozenset[str]
    """Keywords that constrain nothing but may be sent."""
    const_is_enum: bool = False
    """Whether `const` has to be written as an `enum` of one."""
    closes_objects: bool = False
    """Whether every object must forbid keys that it does not name."""
    requires_every_key: bool = False
    """Whether every key that an object names must be required."""
    has_tuples: bool = False
    """Whether `prefixItems` is enforced."""


@dataclass(slots=True)
class SchemaRewriter:
    """Rewrites one schema; afterwards `unexpressed` and `narrowed` tell what the result does not say."""

    rules: SchemaRules
    root: Mapping[str, Any]
    unexpressed: list[str] = field(default_factory=list)
    narrowed: list[str] = field(default_factory=list)
    moved: dict[str, Any] = field(default_factory=dict)
    """Schemas that were referred to where they stand, by the name of the definition that is made of each."""

    def rewrite(self, schema: Any, path: str = "") -> dict[str, Any]:  # noqa: ANN401  a schema is a dict or a bool
        """Rewrite a schema and all schemas in it; `path` names its place in the value."""
        if schema is False:
            self._lose(path, "false", "no value is allowed")
        plain = self._typed(self._unfolded(schema if isinstance(schema, dict) else {}, path), path)
        definitions = plain.pop("$defs", {})
        written: dict[str, Any] = {}
        for key, value in plain.items():
            written |= self._keyword(key, value, path)
        if self.rules.closes_objects and "object" in _types(written):
            self._close(written, plain, path)
        if definitions:
            written["$defs"] = {name: self.rewrite(inner, f"<{name}>") for name, inner in definitions.items()}
        while schema is self.root and (left := self.moved.keys() - written.get("$defs", {}).keys()):
            name = min(left)
            written.setdefault("$defs", {})[name] = self.rewrite(self.moved[name], f"<{name}>")
        return written

    def _unfolded(self, schema: Mapping[str, Any], path: str) -> dict[str, Any]:
        """Do away with spellings that mean the same: an `allOf` of one, a reference beside other rules."""
        plain = {"$defs" if key == "definitions" else key: value for key, value in schema.items()}
        if len(plain.get("allOf", ())) == 1:
            (only,) = plain.pop("allOf")
            plain = {**only, **plain}
        target = resolve(self.root, plain["$ref"]) if "$ref" in plain else None
        if "$ref" in plain and not isinstance(target, dict):
            self._lose(path, "$ref", plain.pop("$ref"))
        elif target is not None and (schema is self.root or plain.keys() - ANNOTATIONS - {"$ref"}):
            del plain["$ref"]
            return self._unfolded({**target, **plain}, path)
        if "prefixItems" in plain and not self.rules.has_tuples:
            self._lose(path, "prefixItems", "which item stands where")
            plain["items"] = {"anyOf": plain.pop("prefixItems")}
        return {"$ref": self._definition(plain["$ref"])} if "$ref" in plain else plain

    def _definition(self, reference: str) -> str:
        """Return a reference to a definition, making one of any other place of the schema."""
        if _DEFINITION.fullmatch(reference):
            return reference.replace("#/definitions/", "#/$defs/")
        target = resolve(self.root, reference)
        name = re.sub(r"\W+", "_", reference).strip("_")
        taken = {**self.root.get("$defs", {}), **self.root.get("definitions", {}), **self.moved}
        while taken.get(name, target) is not target:
            name += "_"
        self.moved[name] = target
        return f"#/$defs/{name}"

    def _typed(self, plain: dict[str, Any], path: str) -> dict[str, Any]:
        """Say the type where a provider asks for it."""
        if not self.rules.closes_objects or plain.keys() & {"$ref", "allOf", "anyOf", "const", "enum", "oneOf"}:
            return plain
        if plain.keys() & {"properties", "additionalProperties"}:
            return {"type": "object", **plain}
        if "array" in _types(plain):
            return {"items": {}, **plain}
        if "type" in plain:
            return plain
        self.narrowed.append(f"{_place(path)}: any value is allowed, only scalars will be written")
        return {"type": _SCALARS, **plain}

    def _keyword(self, key: str, value: Any, path: str) -> dict[str, Any]:  # noqa: ANN401  any JSON value
        match key:
            case "$ref":
                return {key: value}
            case "const" if self.rules.const_is_enum:
                return self._keyword("enum", [value], path)
            case "properties" | "items" | "prefixItems" | "additionalProperties" | "anyOf" | "oneOf":
                return self._applicator(key, value, path)
        if key in ANNOTATIONS:
            return {key: value} if key in self.rules.annotations else {}
        if key in self.rules.keywords and self.rules.keywords[key](value):
            return {key: value}
        self._lose(path, key, value)
        return {}

    def _applicator(self, key: str, value: Any, path: str) -> dict[str, Any]:  # noqa: ANN401  any JSON value
        match key:
            case "properties":
                return {key: {name: self.rewrite(inner, f"{path}.{name}") for name, inner in value.items()}}
            case "items":
                return {key: self.rewrite(value, f"{path}[]")}
            case "prefixItems":
                return {key: [self.rewrite(inner, f"{path}[{index}]") for index, inner in enumerate(value)]}
            case "additionalProperties":
                is_bare = isinstance(value, bool) or self.rules.closes_objects
                return {key: value if is_bare else self.rewrite(value, f"{path}.*")}
            case _:
                return self._union(key, value, path)

    def _union(self, key: str, members: list[Any], path: str) -> dict[str, Any]:
        if key == "oneOf":
            self._lose(path, key, "more than one alternative may fit")
        return {"anyOf": [self.rewrite(member, path) for member in members]}

    def _close(self, written: dict[str, Any], plain: Mapping[str, Any], path: str) -> None:
        properties = written.setdefault("properties", {})
        others = plain.get("additionalProperties", True)
        if others is not False and (isinstance(others, dict) or not properties):
            self.narrowed.append(f"{_place(path)}: no keys but those named will be written")
        written["additionalProperties"] = False
        if self.rules.requires_every_key:
            optional = [name for name in properties if name not in plain.get("required", ())]
            self.narrowed.extend(
                f"{_place(f'{path}.{name}')}: is optional, but will always be written" for name in optional
            )
            written["required"] = list(properties)

    def _lose(self, path: str, key: str, value: Any) -> None:  # noqa: ANN401  any JSON value
        shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
        self.unexpressed.append(f"{_place(path)}: {key} {excerpt(shown)}")


def always(value: object) -> bool:
    """Accept a keyword whatever its value."""
    del value
    return True


def only(*values: object) -> Callable[[object], bool]:
    """Accept a keyword for some values."""
    return lambda value: value in values


def _types(schema: Mapping[str, Any]) -> list[str]:
    kind = schema.get("type", [])
    return [kind] if isinstance(kind, str) else kind


def _place(path: str) -> str:
    return path.removeprefix(".") or "the value"
