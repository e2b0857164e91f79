"""Writing a GBNF grammar for a JSON Schema."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pytest_llmout.outputs.native.gbnf_rules import FORMATS, PRIMITIVES
from pytest_llmout.outputs.native.references import resolve
from pytest_llmout.outputs.native.schema_rewriter import ANNOTATIONS
from pytest_llmout.outputs.one_line import excerpt

if TYPE_CHECKING:
    from collections.abc import Mapping

_REFERENCE = re.compile(r"(?<![\w\"\\\[-])[a-z][a-z0-9-]*(?![\w\"])")
_LITERAL = re.compile(r'"(?:[^"\\]|\\.)*"|\[(?:[^\]\\]|\\.)*\]')
_MOST_LISTED = 256
_OF_TYPE = {
    "array": frozenset(("items", "maxItems", "minItems", "prefixItems")),
    "integer": frozenset(("maximum", "minimum")),
    "object": frozenset(("additionalProperties", "properties", "required")),
    "string": frozenset(("format", "maxLength", "minLength")),
}
_EVERYWHERE = frozenset(("$defs", "definitions", "type")) | ANNOTATIONS


@dataclass(slots=True)
class GrammarWriter:
    """Writes one schema; afterwards `unexpressed` and `narrowed` tell what the grammar does not say."""

    root: Mapping[str, Any]
    rules: dict[str, str] = field(default_factory=dict)
    unexpressed: list[str] = field(default_factory=list)
    narrowed: list[str] = field(default_factory=list)
    definitions: dict[str, str] = field(default_factory=dict)
    """The name of the rule of each reference."""

    def write(self) -> str:
        """Return the grammar, one rule a line, `root` first."""
        self.rules["root"] = ""
        self.rules["root"] = self._expression(self.root, "", "root")
        pending = list(self.rules)
        while pending:
            body = _LITERAL.sub(" ", self.rules[pending.pop()])
            for name in _REFERENCE.findall(body):
                if name not in self.rules:
                    self.rules[name] = PRIMITIVES[name]
                    pending.append(name)
        return "".join(f"{name} ::= {body}\n" for name, body in self.rules.items())

    def _expression(self, schema: Any, path: str, name: str) -> str:  # noqa: ANN401  a schema is a dict or a bool
        """Return what a schema allows, adding rules whose names begin with `name`."""
        match schema:
            case {"$ref": str(reference)}:
                self._lose(schema, path, {"$ref"})
                expression = self._definition(reference, path)
            case {"allOf": [only]}:
                self._lose(schema, path, {"allOf"})
                expression = self._expression(only, path, name)
            case {"const": _} | {"enum": _}:
                expression = _listed(schema["enum"] if "enum" in schema else [schema["const"]])
            case {"anyOf": _} | {"oneOf": _} | {"type": list()}:
                members = enumerate(self._alternatives(schema, path))
                expression = " | ".join(self._rule(member, path, f"{name}-{n}") for n, member in members)
            case dict():
                expression = self._typed(schema, path, name)
            case _:
                if schema is False:
                    self.unexpressed.append(f"{_place(path)}: no value is allowed")
                expression = "value"
        return expression

    def _alternatives(self, schema: Mapping[str, Any], path: str) -> list[Any]:
        if "anyOf" in schema:
            self._lose(schema, path, {"anyOf"})
            return list(schema["anyOf"])
        if "oneOf" in schema:
            # Alternatives that a key tells apart exclude each other by themselves.
            self._lose(schema, path, {"oneOf"} if "discriminator" in schema else set())
            return list(schema["oneOf"])
        return [{**schema, "type": one} for one in schema["type"]]

    def _typed(self, schema: Mapping[str, Any], path: str, name: str) -> str:
        kind = schema.get("type") or ("object" if "properties" in schema else "value")
        self._lose(schema, path, _OF_TYPE.get(kind, frozenset()))
        match kind:
            case "object":
                return self._object(schema, path, name)
            case "array":
                return self._array(schema, path, name)
            case "string":
                return self._string(schema, path)
            case "integer":
                return self._integer(schema, path)
            case _:
                return str(kind)

    def _rule(self, schema: Any, path: str, name: str) -> str:  # noqa: ANN401  a schema is a dict or a bool
        """Return the name of a rule for a schema, or its expression if that is a name already."""
        expression = self._expression(schema, path, name)
        if re.fullmatch(r"[a-z][a-z0-9-]*", expression):
            return expression
        self.rules[name] = expression
        return name

    def _definition(self, reference: str, path: str) -> str:
        target = resolve(self.root, reference)
        if target is self.root:
            return "root"
        if target is None:
            self.unexpressed.append(f"{_place(path)}: $ref {excerpt(reference)}")
            return "value"
        if reference not in self.definitions:
            # A dash would take it for a part of another rule.
            plain = "def-" + re.sub("[^a-z0-9]+", "", reference.rpartition("/")[2].lower())
            name = f"{plain}{len(self.rules)}" if plain in self.rules else plain
            self.definitions[reference] = name
            self.rules[name] = ""  # so that a definition that contains itself is written once
            self.rules[name] = self._expression(target, f"<{reference.rpartition('/')[2]}>", name)
        return self.definitions[reference]

    def _object(self, schema: Mapping[str, Any], path: str, name: str) -> str:
        properties = schema.get("properties", {})
        others = schema.get("additionalProperties", True)
        if not properties:
            if others is False:
                return '"{" space "}"'
            member = f'string space ":" space {self._rule(others, f"{path}.*", f"{name}-other")}'
            return f'"{{" space ({member} (space "," space {member})*)? space "}}"'
        if isinstance(others, dict):
            self.narrowed.append(f"{_place(path)}: no keys but those named will be written")
        members = [
            f'{_listed([key])} space ":" space {self._rule(inner, f"{path}.{key}", f"{name}-k{n}")}'
            for n, (key, inner) in enumerate(properties.items())
        ]
        required = [key in schema.get("required", ()) for key in properties]
        return f'"{{" space {self._members(members, required, name)} space "}}"'

    def _members(self, members: list[str], required: list[bool], name: str) -> str:
        """Write members in their order, any optional one left out, commas between those that are there.

        Two chains of rules, from the last member to the first: one for when a member stands before, one for when none
        does. An empty name stands for nothing.
        """
        after = begin = ""
        for n in reversed(range(len(members))):
            next_after, next_begin = f"{name}-a{n}", f"{name}-b{n}"
            with_comma = f'space "," space {members[n]} {after}'.rstrip()
            bare = f"{members[n]} {after}".rstrip()
            # The empty alternative comes first: llama.cpp reads on into the next line after a `|`.
            self.rules[next_after] = with_comma if required[n] else f"{after} | {with_comma}".lstrip()
            self.rules[next_begin] = bare if required[n] else f"{begin} | {bare}".lstrip()
            after, begin = next_after, next_begin
        del self.rules[after]
        return begin

    def _array(self, schema: Mapping[str, Any], path: str, name: str) -> str:
        if "prefixItems" in schema:
            return self._tuple(schema, path, name)
        least, most = schema.get("minItems", 0), schema.get("maxItems")
        if most == 0:
            return '"[" space "]"'
        item = self._rule(schema.get("items", True), f"{path}[]", f"{name}-item")
        bound = f"{{{max(least - 1, 0)},{'' if most is None else most - 1}}}"
        items = f'{item} (space "," space {item}){bound}'
        return f'"[" space {items if least else f"({items})?"} space "]"'

    def _tuple(self, schema: Mapping[str, Any], path: str, name: str) -> str:
        members = schema["prefixItems"]
        if schema.get("minItems", 0) < len(members) or schema.get("maxItems") != len(members):
            self.narrowed.append(f"{_place(path)}: exactly {len(members)} items will be written")
        items = ' space "," space '.join(
            self._rule(member, f"{path}[{n}]", f"{name}-p{n}") for n, member in enumerate(members)
        )
        return f'"[" space {items} space "]"'

    def _string(self, schema: Mapping[str, Any], path: str) -> str:
        form = schema.get("format")
        if form in FORMATS:
            self.narrowed.append(f"{_place(path)}: {form} will be written in one form only")
            return str(form)
        if form is not None:
            self.unexpressed.append(f"{_place(path)}: format {form}")
        least, most = schema.get("minLength", 0), schema.get("maxLength", "")
        return rf'"\"" char{{{least},{most}}} "\""' if least or most != "" else "string"

    def _integer(self, schema: Mapping[str, Any], path: str) -> str:
        low, high = schema.get("minimum"), schema.get("maximum")
        if isinstance(low, int) and isinstance(high, int) and 0 <= high - low < _MOST_LISTED:
            return _listed(list(range(low, high + 1)))
        if low == 0 and high is None:
            return "natural"
        self._lose(schema, path, _OF_TYPE["integer"] - {"maximum", "minimum"})
        return "integer"

    def _lose(self, schema: Mapping[str, Any], path: str, written: frozenset[str] | set[str]) -> None:
        for key in schema.keys() - written - _EVERYWHERE:
            shown = json.dumps(schema[key], ensure_ascii=False, default=str)
            self.unexpressed.append(f"{_place(path)}: {key} {excerpt(shown)}")


def _listed(values: list[Any]) -> str:
    return " | ".join(_text(json.dumps(value, ensure_ascii=False)) for value in values)


def _text(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _place(path: str) -> str:
    return path.removeprefix(".") or "the value"
