"""How long the reply is, and how its lines end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_llmout.dialect.feature import feature

if TYPE_CHECKING:
    from pytest_llmout.dialect.reply import Reply


@feature(says="writes at another length", unit="characters", examples={"": 0, "a\r\nb": 4, "é": 1})
def characters(reply: Reply) -> int:
    """Characters (code points) of the reply as written."""
    return len(reply.raw)


@feature(
    says="writes paragraphs", unit="paragraphs", kind="Paragraph", examples={"a\n\nb\nc": 2, "- a": 0, "- a\n\n  b": 2}
)
def paragraphs(reply: Reply) -> int:
    """Paragraphs, those within list items and quotations too."""
    return len(reply.nodes["Paragraph"])


@feature(says="ends lines in CRLF", unit="lines", examples={"a\r\nb\r\n": 2, "a\n\rb": 0})
def line_end_crlf(reply: Reply) -> int:
    """Lines that end in carriage return and line feed."""
    return reply.raw.count("\r\n") if "\r" in reply.raw else 0


@feature(says="ends lines in CR", unit="lines", examples={"a\rb": 1, "a\r\nb": 0})
def line_end_cr(reply: Reply) -> int:
    """Lines that end in a carriage return alone."""
    return reply.raw.count("\r") - reply.raw.count("\r\n") if "\r" in reply.raw else 0


@feature(
    says="breaks lines with two spaces",
    unit="breaks",
    kind="HardBreak",
    examples={"a  \nb": 1, "a\\\nb": 0, "```\na  \n```": 0},
)
def break_spaces(reply: Reply) -> int:
    """Line breaks made by two spaces at a line's end."""
    return reply.marked("HardBreak", b" ")


@feature(says="ends in a line end", examples={"a\n": 1, "a": 0, "": 0})
def final_newline(reply: Reply) -> int:
    """The reply ends in a line end."""
    return int(reply.raw.endswith(("\n", "\r")))
