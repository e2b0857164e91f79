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
    from pytest_llmout.outputs.choice_output import choice_output
    from pytest_llmout.outputs.code_output import code_output
    from pytest_llmout.outputs.json_output import json_output
    from pytest_llmout.outputs.lines_output import lines_output
    from pytest_llmout.outputs.markdown_output import canonicalize_markdown, markdown_edits, markdown_output

__all__ = [
    "Accepted",
    "Attempt",
    "Failure",
    "FailureKind",
    "Ok",
    "OutputType",
    "Rejected",
    "UsageError",
    "accept_output",
    "accept_output_async",
    "canonicalize_markdown",
    "choice_output",
    "code_output",
    "correction",
    "json_output",
    "lines_output",
    "markdown_edits",
    "markdown_output",
]

# Names whose modules import pydantic or the Markdown parser: the plugin is loaded by every pytest run, so they wait.
_LAZY = {
    "canonicalize_markdown": "pytest_llmout.outputs.markdown_output",
    "choice_output": "pytest_llmout.outputs.choice_output",
    "code_output": "pytest_llmout.outputs.code_output",
    "json_output": "pytest_llmout.outputs.json_output",
    "lines_output": "pytest_llmout.outputs.lines_output",
    "markdown_edits": "pytest_llmout.outputs.markdown_output",
    "markdown_output": "pytest_llmout.outputs.markdown_output",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401  the names are typed above
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_LAZY[name]), name)
    return value
