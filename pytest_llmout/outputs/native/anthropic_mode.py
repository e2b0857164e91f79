"""Anthropic: `output_config.format` with a JSON Schema.

Rules: https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pytest_llmout.outputs.native.native_mode import NativeMode, json_schema_of
from pytest_llmout.outputs.native.schema_limits import is_recursive, subschemas
from pytest_llmout.outputs.native.schema_rewriter import SchemaRewriter, SchemaRules, always, only

if TYPE_CHECKING:
    from pytest_llmout.outputs.json_output import JsonOutput

_FORMATS = ("date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid")
# Backreferences, look-around and word boundaries are outside the regular expressions that are compiled.
_COSTLY_PATTERN = re.compile(r"\\[1-9bB]|\(\?[=!<]")
_MOST_OPTIONAL_KEYS = 24
_MOST_UNIONS = 16


def anthropic_mode(output: JsonOutput[Any]) -> NativeMode:
    """Write an output type as Anthropic's `output_config`.

    Raises:
        UsageError: The schema cannot be written as JSON Schema.
    """
    schema = json_schema_of(output)
    rewriter = SchemaRewriter(_RULES, schema)
    written = rewriter.rewrite(schema)
    refused = _refusals(written)
    request = {} if refused else {"output_config": {"format": {"type": "json_schema", "schema": written}}}
    return NativeMode(request, (*rewriter.unexpressed, *refused), tuple(rewriter.narrowed))


def _refusals(schema: dict[str, Any]) -> list[str]:
    inner = list(subschemas(schema))
    optional = sum(len(one.get("properties", {})) - len(one.get("required", ())) for one in inner)
    unions = sum("anyOf" in one or isinstance(one.get("type"), list) for one in inner)
    found = {
        "the schema: it contains itself": is_recursive(schema),
        f"the schema: more than {_MOST_OPTIONAL_KEYS} optional keys": optional > _MOST_OPTIONAL_KEYS,
        f"the schema: more than {_MOST_UNIONS} unions": unions > _MOST_UNIONS,
    }
    return [words for words, holds in found.items() if holds]


def _is_plain_enum(values: list[Any]) -> bool:
    return not any(isinstance(value, list | dict) for value in values)


def _is_cheap_pattern(pattern: str) -> bool:
    return _COSTLY_PATTERN.search(pattern) is None


_RULES = SchemaRules(
    keywords={
        **dict.fromkeys(("required", "type"), always),
        "const": lambda value: _is_plain_enum([value]),
        "enum": _is_plain_enum,
        "format": only(*_FORMATS),
        "minItems": only(0, 1),
        "pattern": _is_cheap_pattern,
    },
    annotations=frozenset(("default", "description", "title")),
    closes_objects=True,
)
