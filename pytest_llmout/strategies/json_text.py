"""Strategies for JSON replies: values that fit a schema, in every way in which models write them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from pytest_llmout.contract import Ok
from pytest_llmout.errors import UsageError
from pytest_llmout.outputs.json_output import json_output
from pytest_llmout.strategies.json_values import json_values

if TYPE_CHECKING:
    from collections.abc import Callable

_SEPARATORS = (None, (",", ":"), (" ,\t", " : "))
_FRAMES = (
    "{}", "```json\n{}\n```", "```\n{}\n```\n", "~~~json\n{}\n~~~", "\n  {}\n\n", "```json\r\n{}\r\n```", "`{}`",
    "\ufeff{}",
    "```JSON\n{}",
)  # fmt: skip


def json_replies(schema: object) -> st.SearchStrategy[str]:
    """Return replies that keep the contract of `json_output(schema)`, in every dialect.

    Args:
        schema: Whatever `json_output` takes.

    Raises:
        UsageError: The schema cannot be written as JSON Schema, so that no value of it can be made.
    """
    output = json_output(schema)
    document = output.judge.json_schema()
    if document is None:
        raise UsageError("the schema has no JSON Schema to make replies from: write a strategy of its replies yourself")
    return json_values(document).flatmap(dialects).filter(lambda raw: isinstance(output.parse(raw), Ok))


@st.composite
def dialects(draw: Callable[..., Any], tree: Any) -> str:  # noqa: ANN401  any JSON value
    """Draw a way in which a model may write a JSON value: fence, white space, order of keys, escapes, last line end.

    Args:
        draw: Given by hypothesis.
        tree: The value, as `json.loads` gives it.
    """
    text = json.dumps(
        _shuffled(draw, tree) if draw(st.booleans()) else tree,
        ensure_ascii=draw(st.booleans()),
        indent=draw(st.sampled_from([None, 2, "\t"])),
        separators=draw(st.sampled_from(_SEPARATORS)),
    )
    before, _, after = draw(st.sampled_from(_FRAMES)).partition("{}")
    is_code_span = before == "`"
    return text if is_code_span and ("`" in text or "\n" in text) else before + text + after


def _shuffled(draw: Callable[..., Any], tree: Any) -> Any:  # noqa: ANN401  any JSON value
    match tree:
        case dict():
            return {key: _shuffled(draw, tree[key]) for key in draw(st.permutations(sorted(tree)))}
        case list():
            return [_shuffled(draw, item) for item in tree]
        case _:
            return tree
