"""The session as Markdown, for a comment on a pull request."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from pytest_llmout.harness.reports.row import Cell, row_of
from pytest_llmout.harness.summary import summary_lines
from pytest_llmout.harness.visible import visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_llmout.harness.asked import Asked

_COLUMNS = ("test", "prompt_id", "sample", "model", "outcome", "attempts", "reason", "observed", "raw")
_SHOWN_CHARACTERS = 120


def markdown_report(asked: Sequence[Asked]) -> str:
    """Return the totals and a table; long replies are cut."""
    return "\n".join([*(f"- {line}" for line in summary_lines(asked)), "", *_table(asked)]) + "\n"


def _table(asked: Sequence[Asked]) -> Iterator[str]:
    yield f"| {' | '.join(_COLUMNS)} |"
    yield "|" + " --- |" * len(_COLUMNS)
    for reply in asked:
        row = row_of(reply)
        yield f"| {' | '.join(_cell(row[name]) for name in _COLUMNS)} |"


def _cell(value: Cell) -> str:
    """Return a text that no renderer reads as anything else, on one line."""
    if value is None:
        return ""
    text = str(value)
    shown = visible(text[:_SHOWN_CHARACTERS]).replace("·", " ") + ("…" if len(text) > _SHOWN_CHARACTERS else "")
    return f"<code>{escape(shown).translate(_MARKUP)}</code>"


_MARKUP = {ord(char): f"&#{ord(char)};" for char in "\\|`*_[]~$!:@#"}
