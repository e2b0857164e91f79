r"""Test and evaluate the format of language-model replies.

>>> from pytest_llmout import accept_output, json_output, markdown_output
>>> markdown_output().parse("*Weekly digest*: all _green_").canonical
'**Weekly digest**: all _green_'
>>> accept_output(json_output(list[int]), "```json\n[1, 2]\n```").value
[1, 2]
>>> accept_output(json_output(list[int]), "[1, 2").failure.reason
'truncated'
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pytest_llmout.accept import accept_output, accept_output_async, correction
from pytest_llmout.contract import Accepted, Attempt, Failure, FailureKind, Ok, OutputType, Rejected
from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    from pytest_llmout.assertions import assert_accepts, assert_canonical, assert_failure_kind, assert_same_dialect
    from pytest_llmout.boundary.answer import AnswerEvent, answer_event
    from pytest_llmout.boundary.redaction import redact
    from pytest_llmout.boundary.reflection import parse_reflection
    from pytest_llmout.boundary.run_record import RunRecord, read_events
    from pytest_llmout.harness.facade import LlmOut
    from pytest_llmout.outputs.choice_output import choice_output
    from pytest_llmout.outputs.code_output import code_output
    from pytest_llmout.outputs.json_output import json_output
    from pytest_llmout.outputs.lines_output import lines_output
    from pytest_llmout.outputs.markdown_output import canonicalize_markdown, markdown_edits, markdown_output
    from pytest_llmout.outputs.markdown_stream import MarkdownStream
    from pytest_llmout.outputs.native.anthropic_mode import anthropic_mode
    from pytest_llmout.outputs.native.gbnf_mode import gbnf_mode
    from pytest_llmout.outputs.native.gemini_mode import gemini_mode
    from pytest_llmout.outputs.native.ollama_mode import ollama_mode
    from pytest_llmout.outputs.native.openai_mode import openai_mode

__all__ = [
    "Accepted",
    "AnswerEvent",
    "Attempt",
    "Failure",
    "FailureKind",
    "LlmOut",
    "MarkdownStream",
    "Ok",
    "OutputType",
    "Rejected",
    "RunRecord",
    "UsageError",
    "accept_output",
    "accept_output_async",
    "answer_event",
    "anthropic_mode",
    "assert_accepts",
    "assert_canonical",
    "assert_failure_kind",
    "assert_same_dialect",
    "canonicalize_markdown",
    "choice_output",
    "code_output",
    "correction",
    "gbnf_mode",
    "gemini_mode",
    "json_output",
    "lines_output",
    "markdown_edits",
    "markdown_output",
    "ollama_mode",
    "openai_mode",
    "parse_reflection",
    "read_events",
    "redact",
]

# Names whose modules import pydantic or the Markdown parser: the plugin is loaded by every pytest run, so they wait.
_LAZY = {
    "LlmOut": "pytest_llmout.harness.facade",
    "MarkdownStream": "pytest_llmout.outputs.markdown_stream",
    "AnswerEvent": "pytest_llmout.boundary.answer",
    "RunRecord": "pytest_llmout.boundary.run_record",
    "answer_event": "pytest_llmout.boundary.answer",
    "anthropic_mode": "pytest_llmout.outputs.native.anthropic_mode",
    "assert_accepts": "pytest_llmout.assertions",
    "assert_canonical": "pytest_llmout.assertions",
    "assert_failure_kind": "pytest_llmout.assertions",
    "assert_same_dialect": "pytest_llmout.assertions",
    "canonicalize_markdown": "pytest_llmout.outputs.markdown_output",
    "choice_output": "pytest_llmout.outputs.choice_output",
    "code_output": "pytest_llmout.outputs.code_output",
    "gbnf_mode": "pytest_llmout.outputs.native.gbnf_mode",
    "gemini_mode": "pytest_llmout.outputs.native.gemini_mode",
    "json_output": "pytest_llmout.outputs.json_output",
    "lines_output": "pytest_llmout.outputs.lines_output",
    "markdown_edits": "pytest_llmout.outputs.markdown_output",
    "markdown_output": "pytest_llmout.outputs.markdown_output",
    "ollama_mode": "pytest_llmout.outputs.native.ollama_mode",
    "openai_mode": "pytest_llmout.outputs.native.openai_mode",
    "parse_reflection": "pytest_llmout.boundary.reflection",
    "read_events": "pytest_llmout.boundary.run_record",
    "redact": "pytest_llmout.boundary.redaction",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401  the names are typed above
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_LAZY[name]), name)
    return value
