"""llama.cpp: `grammar` in GBNF.

Notation: https://github.com/ggml-org/llama.cpp/blob/master/grammars/README.md
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_llmout.outputs.native.gbnf_grammar import GrammarWriter
from pytest_llmout.outputs.native.native_mode import NativeMode, json_schema_of

if TYPE_CHECKING:
    from pytest_llmout.outputs.json_output import JsonOutput


def gbnf_mode(output: JsonOutput[Any]) -> NativeMode:
    """Write an output type as a grammar for llama.cpp; every sentence of it is JSON.

    Raises:
        UsageError: The schema cannot be written as JSON Schema.
    """
    schema = json_schema_of(output)
    writer = GrammarWriter(schema)
    grammar = writer.write()
    return NativeMode({"grammar": grammar}, tuple(writer.unexpressed), tuple(writer.narrowed))
