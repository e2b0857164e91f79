"""Headings, and lines that were meant as one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_llmout.dialect.feature import feature

if TYPE_CHECKING:
    from pytest_llmout.dialect.reply import Reply

_NO_SPACE = re.compile(r"^#{1,6}[^\W\d_]", re.MULTILINE)


@feature(
    says="writes headings with #", unit="headings", kind="Heading", examples={"# a\n\n## b": 2, "a\n=": 0, "`# a`": 0}
)
def heading_atx(reply: Reply) -> int:
    """Headings written with `#`."""
    return reply.marked("Heading", b"#")


@feature(says="underlines headings", unit="headings", kind="Heading", examples={"a\n===\n\nb\n---": 2, "# a": 0})
def heading_setext(reply: Reply) -> int:
    """Headings underlined with `=` or `-`."""
    return len(reply.nodes["Heading"]) - reply.marked("Heading", b"#")


@feature(
    says="writes # without the space of a heading",
    unit="lines",
    examples={"#Title\ntext": 1, "# Title": 0, "see #12": 0, "```\n#x\n```": 0},
)
def heading_no_space(reply: Reply) -> int:
    """Lines of text that begin with `#` and a letter, which is no heading to a Markdown parser."""
    return len(_NO_SPACE.findall(reply.prose)) if "#" in reply.text else 0


@feature(says="writes headings", unit="levels", kind="Heading", examples={"# a\n\n### b": 3, "text": 0})
def heading_depth(reply: Reply) -> int:
    """The level of the deepest heading, 1 to 6; 0 without a heading."""
    return max((int(heading["level"][1:]) for heading, _, _ in reply.nodes["Heading"]), default=0)
