"""What stands round the answer: a fence, thinking, a lead-in, a closing remark, an early end."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from pytest_llmout.dialect.feature import feature

if TYPE_CHECKING:
    from pytest_llmout.dialect.reply import Reply

_CUT_OFF = frozenset({"length", "max_tokens", "MAX_TOKENS", "max_output_tokens"})
_ANSWERS = frozenset({"List", "Table", "CodeBlock"})


@feature(
    says="fences the whole reply",
    kind="CodeBlock",
    examples={"```json\n{}\n```": 1, "\n~~~\na\n~~~\n": 1, "a\n```\nb\n```": 0, "`a`": 0},
)
def whole_fence(reply: Reply) -> int:
    """The reply is one fenced code block and nothing else."""
    kinds = (kind for kind, (code, _, _) in reply.blocks if code != "Indented")
    return int(list(islice(kinds, 2)) == ["CodeBlock"])


@feature(says="begins with a <think> block", examples={"<think>a</think>\nb": 1, "a <think>": 0})
def think(reply: Reply) -> int:
    """The reply begins with a `<think>` block."""
    return int(reply.raw[:200].lstrip().startswith("<think>"))


@feature(
    says="begins with a lead-in", examples={"Here it is:\n\n- a": 1, "- a": 0, "Only this:": 0, "Here it is:\n- a": 1}
)
def lead_in(reply: Reply) -> int:
    """A paragraph that ends in a colon stands before everything else."""
    if len(reply.blocks) < 2:  # noqa: PLR2004  a lead-in leads to something
        return 0
    kind, first = reply.blocks[0]
    return int(kind == "Paragraph" and reply.slice(first).rstrip().endswith((":", "：")))


@feature(says="closes with a remark", examples={"- a\n\nHope this helps!": 1, "- a": 0, "a\n\nb": 0})
def closing_remark(reply: Reply) -> int:
    """The last block is a paragraph right after a list, a table or a code block."""
    kinds = [kind for kind, _ in reply.blocks[-2:]]
    return int(len(kinds) == 2 and kinds[0] in _ANSWERS and kinds[1] == "Paragraph")  # noqa: PLR2004  a pair


@feature(says="is cut off by a token limit", examples={"a": None})
def truncated(reply: Reply) -> int | None:
    """The model was stopped by a token limit, by the finish reason; null where none was recorded."""
    return None if reply.finish_reason is None else int(reply.finish_reason in _CUT_OFF)


@feature(says="replies with nothing", examples={" \n": 1, "": 1, "a": 0})
def empty(reply: Reply) -> int:
    """The reply holds nothing but white space."""
    return int(not reply.raw or reply.raw.isspace())
