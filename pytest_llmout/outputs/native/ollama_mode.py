"""Ollama: `format` with a JSON Schema, which its llama.cpp turns into a grammar.

Rules: https://github.com/ggml-org/llama.cpp/blob/master/grammars/README.md#json-schemas--gbnf
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_llmout.outputs.native.native_mode import NativeMode, json_schema_of
from pytest_llmout.outputs.native.schema_limits import subschemas
from pytest_llmout.outputs.native.schema_rewriter import SchemaRewriter, SchemaRules, always, only

if TYPE_CHECKING:
    from pytest_llmout.outputs.json_output import JsonOutput

_BOUNDS = ("exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum")


def ollama_mode(output: JsonOutput[Any]) -> NativeMode:
    """Write an output type as Ollama's `format`.

    Raises:
        UsageError: The schema cannot be written as JSON Schema.
    """
    schema = json_schema_of(output)
    rewriter = SchemaRewriter(_RULES, schema)
    written = rewriter.rewrite(schema)
    unbounded = [
        f"a number: {bound} {inner.pop(bound)}"
        for inner in subschemas(written)
        if inner.get("type") != "integer"
        for bound in _BOUNDS
        if bound in inner
    ]
    return NativeMode({"format": written}, (*rewriter.unexpressed, *unbounded), tuple(rewriter.narrowed))


def _is_anchored(pattern: str) -> bool:
    return pattern.startswith("^") and pattern.endswith("$")


_RULES = SchemaRules(
    keywords={
        **dict.fromkeys(("const", "enum", "required", "type", *_BOUNDS), always),
        **dict.fromkeys(("maxItems", "maxLength", "minItems", "minLength"), always),
        "format": only("date", "date-time", "time", "uuid"),
        "pattern": _is_anchored,
    },
    annotations=frozenset(("description", "title")),
    has_tuples=True,
)
