"""Memory: plain text for a model or a search index, in which the look of a word is said in words."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from pytest_llmout.boundary.surfaces.lines import Kind, read_lines
from pytest_llmout.boundary.surfaces.styles import Style, joined, web_address

if TYPE_CHECKING:
    from pytest_llmout.boundary.surfaces.lines import Line
    from pytest_llmout.boundary.surfaces.styles import Run

OPEN, CLOSE = "⟦", "⟧"
_BRACKETS = str.maketrans({OPEN: "[[", CLOSE: "]]"})


def memory(text: str) -> str:
    """Return a canonical text without markup.

    >>> memory("**Approve** the `diff`")
    '⟦bold: Approve⟧ the ⟦code: diff⟧'
    """
    parts: list[str] = []
    for kind, lines in groupby(read_lines(text), key=lambda line: line.kind):
        if kind is Kind.CODE:
            code = "\n".join("".join(run.text for run in line.runs).translate(_BRACKETS) for line in lines)
            parts.append(f"{OPEN}code:\n{code}\n{CLOSE}")
        else:
            parts += map(_line, lines)
    return "\n".join(parts)


def _line(line: Line) -> str:
    if line.kind is Kind.RULE:
        return "———"
    quoted = "> " if line.quoted else ""
    marker = f"{line.marker} " if line.marker else ""
    return f"{quoted}{'    ' * max(0, line.depth - 1)}{marker}{''.join(map(_words, joined(line.runs)))}"


def _words(run: Run) -> str:
    words = run.text.translate(_BRACKETS)
    if not run.styles or words.isspace():
        return words
    looks = [style.value for style in Style if style in run.styles and style is not Style.LINKED]
    if run.address:
        looks.append(f"link to {web_address(run.address)}")
    return f"{OPEN}{', '.join(looks)}: {words}{CLOSE}"
