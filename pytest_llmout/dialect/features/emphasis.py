"""Emphasis and strong emphasis, by the marker they were written with, and bold that does not render."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_llmout.dialect.feature import feature

if TYPE_CHECKING:
    from pytest_llmout.dialect.reply import Reply

_STRONG = (b"**", b"__")
_RUN = re.compile(r"\*{2,}|(?<!\w)_{2,}|_{2,}(?!\w)")


@feature(
    says="writes emphasis as *x*",
    unit="spans",
    kind="Emphasis",
    examples={"*x* and *y*": 2, "**x** _y_ `*z*` 2 * 3": 0},
)
def emphasis_star(reply: Reply) -> int:
    """Emphasis written with `*`."""
    return reply.marked("Emphasis", b"*")


@feature(says="writes emphasis as _x_", unit="spans", kind="Emphasis", examples={"_x_": 1, "*x* snake_case_name": 0})
def emphasis_underscore(reply: Reply) -> int:
    """Emphasis written with `_`."""
    return reply.marked("Emphasis", b"_")


@feature(says="writes bold as **x**", unit="spans", kind="Strong", examples={"**x** ***y***": 2, "*x* `**y**`": 0})
def strong_star(reply: Reply) -> int:
    """Strong emphasis written with `**`."""
    return reply.marked("Strong", b"*")


@feature(says="writes bold as __x__", unit="spans", kind="Strong", examples={"__x__": 1, "**x** a__b__c": 0})
def strong_underscore(reply: Reply) -> int:
    """Strong emphasis written with `__`."""
    return reply.marked("Strong", b"_")


@feature(says="strikes text through", unit="spans", kind="Strikethrough", examples={"~~x~~": 1, "`~~x~~`": 0})
def strikethrough(reply: Reply) -> int:
    """Text struck through."""
    return len(reply.nodes["Strikethrough"])


@feature(
    says="writes bold that does not render",
    unit="spans",
    examples={
        "**「会議」**が": 1,
        "**Note:**see": 1,
        "** bold ** x": 1,
        "**x** 2**3": 0,
        r"\**x\**": 0,
        "`** x **`": 0,
    },
)
def bold_unrendered(reply: Reply) -> int:
    """Pairs of delimiter runs of two or more in one line that the parser left standing as text."""
    if "**" not in reply.text and "__" not in reply.text:
        return 0
    lines = (line for line in reply.prose.split("\n") if "**" in line or "__" in line)
    return sum(len(_RUN.findall(line)) // 2 for line in lines)


@feature(
    says="writes bold paragraphs for headings",
    unit="paragraphs",
    kind="Strong",
    examples={"**Summary**\n\ntext": 1, "**Summary** text": 0},
)
def bold_as_heading(reply: Reply) -> int:
    """Paragraphs outside lists and quotes that are bold from end to end, where a heading could stand."""
    source = reply.source
    paragraphs = [(start, end) for kind, (_, start, end) in reply.blocks if kind == "Paragraph"]
    bold = [span for span in paragraphs if source.startswith(_STRONG, span[0])]
    strong = {(start, end) for _, start, end in reply.nodes["Strong"]} if bold else set()
    return sum((start, start + len(source[start:end].rstrip())) in strong for start, end in bold)
