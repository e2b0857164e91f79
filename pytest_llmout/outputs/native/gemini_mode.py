"""Google Gemini: `generationConfig.responseJsonSchema`.

Rules: https://ai.google.dev/api/generate-content#FIELDS.response_json_schema
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_llmout.outputs.native.native_mode import NativeMode, json_schema_of
from pytest_llmout.outputs.native.schema_limits import is_recursive, subschemas
from pytest_llmout.outputs.native.schema_rewriter import SchemaRewriter, SchemaRules, always

if TYPE_CHECKING:
    from pytest_llmout.outputs.json_output import JsonOutput


def gemini_mode(output: JsonOutput[Any]) -> NativeMode:
    """Write an output type as Gemini's `generationConfig`; keys are asked for in the schema's order.

    Raises:
        UsageError: The schema cannot be written as JSON Schema.
    """
    schema = json_schema_of(output)
    rewriter = SchemaRewriter(_RULES, schema)
    written = rewriter.rewrite(schema)
    for inner in subschemas(written):
        if inner.get("properties"):
            inner["propertyOrdering"] = list(inner["properties"])
    config = {"responseMimeType": "application/json", "responseJsonSchema": written}
    deep = ("the schema: it contains itself, and is unrolled to a limited depth",) if is_recursive(written) else ()
    return NativeMode({"generationConfig": config}, tuple(rewriter.unexpressed), (*rewriter.narrowed, *deep))


def _is_text_or_number(values: list[Any]) -> bool:
    return all(isinstance(value, str | int | float) and not isinstance(value, bool) for value in values)


_RULES = SchemaRules(
    keywords={
        **dict.fromkeys(("$anchor", "$id", "format", "required", "type"), always),
        **dict.fromkeys(("maxItems", "maximum", "minItems", "minimum"), always),
        "enum": _is_text_or_number,
    },
    annotations=frozenset(("description", "title")),
    const_is_enum=True,
    has_tuples=True,
)
