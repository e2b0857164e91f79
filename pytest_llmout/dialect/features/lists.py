"""Lists: markers, numbering, nesting."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_llmout.dialect.feature import feature

if TYPE_CHECKING:
    from pytest_llmout.dialect.reply import Reply

_DIGITS = b"0123456789"
_NUMBER = re.compile(rb"\d{1,9}([.)])")
_TYPED_BULLETS = frozenset("•◦▪▫‣●○·⁃")


def _delimiters(reply: Reply) -> list[bytes]:
    firsts = zip(reply.first_bytes("Item"), reply.nodes["Item"], strict=True)
    matches = (_NUMBER.match(reply.source, start) for byte, (_, start, _) in firsts if byte in _DIGITS)
    return [match[1] for match in matches if match]


@feature(says="writes bullets as -", unit="items", kind="Item", examples={"- a\n- b": 2, "* a": 0, "---": 0})
def bullet_dash(reply: Reply) -> int:
    """List items marked with `-`."""
    return reply.marked("Item", b"-")


@feature(says="writes bullets as *", unit="items", kind="Item", examples={"* a\n* b": 2, "*a*": 0})
def bullet_star(reply: Reply) -> int:
    """List items marked with `*`."""
    return reply.marked("Item", b"*")


@feature(says="writes bullets as +", unit="items", kind="Item", examples={"+ a": 1, "1 + 1": 0})
def bullet_plus(reply: Reply) -> int:
    """List items marked with `+`."""
    return reply.marked("Item", b"+")


@feature(says="types bullets such as •", unit="lines", examples={"• a\n• b": 2, "- • a": 0})
def bullet_typed(reply: Reply) -> int:
    """Lines that begin with a bullet character, which is no list to a Markdown parser."""
    if reply.raw.isascii():
        return 0
    source = reply.source
    return sum(
        1
        for text, start, _ in reply.nodes["Text"]
        if text[0] in _TYPED_BULLETS and not source[source.rfind(b"\n", 0, start) + 1 : start].strip()
    )


@feature(says="numbers lists as 1.", unit="items", kind="Item", examples={"1. a\n2. b": 2, "1) a": 0})
def number_dot(reply: Reply) -> int:
    """List items numbered `1.`."""
    return reply.once(_delimiters).count(b".")


@feature(says="numbers lists as 1)", unit="items", kind="Item", examples={"1) a": 1, "1. a\n(1) b": 0})
def number_paren(reply: Reply) -> int:
    """List items numbered `1)`."""
    return reply.once(_delimiters).count(b")")


@feature(
    says="begins numbered lists past 1",
    unit="lists",
    kind="List",
    examples={"1. a\n\ntext\n\n2. b": 1, "1. a\n2. b": 0, "- a": 0},
)
def numbering_resumed(reply: Reply) -> int:
    """Numbered lists that begin with another number than 1, as when a list was broken in two."""
    return sum(1 for first, _, _ in reply.nodes["List"] if first not in (None, 1))


@feature(
    says="writes lists", unit="levels", kind="List", examples={"- a\n  - b": 2, "- a\n\ntext\n\n- b": 1, "text": 0}
)
def list_depth(reply: Reply) -> int:
    """Levels of lists within lists, at the deepest place."""
    open_ends: list[int] = []
    deepest = 0
    for _, start, end in reply.nodes["List"]:
        while open_ends and open_ends[-1] <= start:
            open_ends.pop()
        open_ends.append(end)
        deepest = max(deepest, len(open_ends))
    return deepest


@feature(says="writes check boxes", unit="items", kind="TaskListMarker", examples={"- [x] a\n- [ ] b": 2, "[x] a": 0})
def task_item(reply: Reply) -> int:
    """List items with a check box."""
    return len(reply.nodes["TaskListMarker"])
