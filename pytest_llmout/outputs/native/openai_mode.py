"""OpenAI: `response_format` with a strict JSON Schema.

Rules: https://platform.openai.com/docs/guides/structured-outputs#supported-schemas
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pytest_llmout.outputs.native.native_mode import NativeMode, json_schema_of
from pytest_llmout.outputs.native.schema_limits import enum_values, names, nesting
from pytest_llmout.outputs.native.schema_rewriter import SchemaRewriter, SchemaRules, always, only

if TYPE_CHECKING:
    from pytest_llmout.outputs.json_output import JsonOutput

_FORMATS = ("date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid")
_RULES = SchemaRules(
    keywords={
        **dict.fromkeys(("const", "enum", "pattern", "required", "type"), always),
        **dict.fromkeys(("exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum", "multipleOf"), always),
        **dict.fromkeys(("maxItems", "minItems"), always),
        "format": only(*_FORMATS),
    },
    annotations=frozenset(("description", "title")),
    closes_objects=True,
    requires_every_key=True,
)
_MOST_LEVELS = 10
_MOST_NAMES = 5_000
_MOST_ENUM_VALUES = 1_000
_MOST_CHARACTERS = 120_000


def openai_mode(output: JsonOutput[Any]) -> NativeMode:
    """Write an output type as OpenAI's `response_format`.

    Raises:
        UsageError: The schema cannot be written as JSON Schema.
    """
    schema = json_schema_of(output)
    rewriter = SchemaRewriter(_RULES, schema)
    strict = rewriter.rewrite(schema)
    refused = _refusals(strict)
    form = {"name": _name(output.name), "strict": True, "schema": strict}
    request = {} if refused else {"response_format": {"type": "json_schema", "json_schema": form}}
    return NativeMode(request, (*rewriter.unexpressed, *refused), tuple(rewriter.narrowed))


def _refusals(schema: dict[str, Any]) -> list[str]:
    found = {
        "the value: only an object may stand at the top": schema.get("type") != "object",
        f"the schema: more than {_MOST_LEVELS} levels": nesting(schema) > _MOST_LEVELS,
        f"the schema: more than {_MOST_NAMES} keys": len(names(schema)) > _MOST_NAMES,
        f"the schema: more than {_MOST_ENUM_VALUES} enum values": len(enum_values(schema)) > _MOST_ENUM_VALUES,
        f"the schema: more than {_MOST_CHARACTERS} characters in keys and enum values": (
            sum(map(len, [*names(schema), *map(str, enum_values(schema))])) > _MOST_CHARACTERS
        ),
    }
    return [words for words, holds in found.items() if holds]


def _name(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]", "_", name)[:64] or "json"
