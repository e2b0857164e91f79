"""Other blocks: quotations, rules, raw HTML, footnotes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_llmout.dialect.feature import feature

if TYPE_CHECKING:
    from pytest_llmout.dialect.reply import Reply

_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)


@feature(says="quotes in blocks", unit="blocks", kind="BlockQuote", examples={"> a": 1, "a > b": 0})
def block_quote(reply: Reply) -> int:
    """Block quotations."""
    return len(reply.nodes["BlockQuote"])


@feature(says="draws horizontal rules", unit="rules", kind="Rule", examples={"a\n\n---\n\n***": 2, "a\n---": 0})
def thematic_break(reply: Reply) -> int:
    """Horizontal rules."""
    return len(reply.nodes["Rule"])


@feature(
    says="writes blocks of HTML", unit="blocks", kind="HtmlBlock", examples={"<div>\na\n</div>": 1, "a <b>c</b>": 0}
)
def html_block(reply: Reply) -> int:
    """Blocks of raw HTML."""
    return len(reply.nodes["HtmlBlock"])


@feature(says="writes HTML tags", unit="tags", kind="InlineHtml", examples={"a <b>c</b>": 2, "a<br>b": 0, "`<b>`": 0})
def html_inline(reply: Reply) -> int:
    """Raw HTML tags within text, without `<br>`."""
    return sum(1 for tag, _, _ in reply.nodes["InlineHtml"] if not _BREAK.fullmatch(tag))


@feature(says="breaks lines with <br>", unit="tags", kind="InlineHtml", examples={"a<br>b<br/>c": 2, "a\nb": 0})
def html_break(reply: Reply) -> int:
    """Line breaks written as `<br>`."""
    return sum(1 for tag, _, _ in reply.nodes["InlineHtml"] if _BREAK.fullmatch(tag))


@feature(
    says="refers to footnotes", unit="references", kind="FootnoteReference", examples={"a[^1]\n\n[^1]: b": 1, "a[1]": 0}
)
def footnote(reply: Reply) -> int:
    """References to footnotes."""
    return len(reply.nodes["FootnoteReference"])
