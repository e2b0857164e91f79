"""Tables, and text that was meant as one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_llmout.dialect.feature import feature

if TYPE_CHECKING:
    from pytest_llmout.dialect.reply import Reply

_DELIMITER_ROW = re.compile(r"^\s*\|?(\s*:?-+:?\s*\|)+(\s*:?-+:?\s*)?$", re.MULTILINE)


@feature(
    says="writes tables", unit="tables", kind="Table", examples={"| a | b |\n|---|---|\n| 1 | 2 |": 1, "| a | b |": 0}
)
def table(reply: Reply) -> int:
    """Tables that the parser reads as such."""
    return len(reply.nodes["Table"])


@feature(
    says="writes rows of tables", unit="rows", kind="TableRow", examples={"| a |\n|---|\n| 1 |\n| 2 |": 2, "text": 0}
)
def table_row(reply: Reply) -> int:
    """Rows of tables, without their heads."""
    return len(reply.nodes["TableRow"])


@feature(
    says="writes tables that do not render",
    unit="tables",
    examples={"| a | b |\n|---|\n| 1 | 2 |": 1, "| a |\n|---|\n| 1 |": 0, "```\n|---|\n```": 0},
)
def table_broken(reply: Reply) -> int:
    """Delimiter rows of a table that stayed text, since the row above has another number of cells or is missing."""
    return len(_DELIMITER_ROW.findall(reply.prose)) if "|" in reply.text and "-" in reply.text else 0
