"""Slack, as mrkdwn (https://docs.slack.dev/messaging/formatting-message-text).

mrkdwn has no escape for its own marks, and a mark counts only at the border of a word. So where a mark of the text
would count, a look-alike stands for it, and a zero-width space makes a border where one of ours would not.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from pytest_llmout.boundary.surfaces.lines import Kind, read_lines
from pytest_llmout.boundary.surfaces.styles import Run, Style, joined, web_address

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pytest_llmout.boundary.surfaces.lines import Line

BORDER = "\u200b"
FENCE = "```"
MARKS = {Style.BOLD: "*", Style.ITALIC: "_", Style.STRUCK: "~", Style.CODE: "`"}
LOOK_ALIKES = str.maketrans({"*": "∗", "_": "＿", "~": "∼", "`": "‵"})

_MARKS_IN_TEXT = re.compile(r"[*_~`]+")
_CLOSING = " \t.,;:!?)"


def slack(text: str) -> str:
    """Return the mrkdwn of a canonical text; a `*` emphasis in it reads as bold, as it does in Slack.

    Every `&`, `<` and `>` of the text is escaped, so it mentions nobody and links nowhere but where Markdown linked.
    """
    parts: list[str] = []
    for kind, lines in groupby(read_lines(text, asterisk=Style.BOLD), key=lambda line: line.kind):
        if kind is Kind.CODE:
            parts += [FENCE, *map(_code_line, lines), FENCE]
        else:
            parts += map(_line, lines)
    return "\n".join(parts)


def _line(line: Line) -> str:
    quoted = "> " if line.quoted else ""
    if line.kind is Kind.RULE:
        return f"{quoted}———"
    indent = "    " * max(0, line.depth - 1)
    marker = f"{line.marker}{BORDER} " if line.marker else ""
    words = _inline(line.runs)
    # A `>` of the text at the start of a line would quote it, also escaped.
    return f"{quoted}{indent}{marker}{BORDER if words.startswith('&gt;') else ''}{words}"


def _code_line(line: Line) -> str:
    return _escaped("".join(run.text for run in line.runs)).replace(FENCE, FENCE.translate(LOOK_ALIKES))


def _inline(runs: Iterable[Run]) -> str:
    written: list[str] = []
    border_due = False
    for run in joined(_spaces_apart(runs)):
        piece = _piece(run)
        is_marked = bool(run.styles) and not run.text.isspace()
        ends_open = bool(written) and not written[-1][-1].isspace() and written[-1][-1] != "("
        if ends_open and (is_marked or (border_due and piece[0] not in _CLOSING)):
            written.append(BORDER)
        written.append(piece)
        border_due = is_marked
    return "".join(written)


def _spaces_apart(runs: Iterable[Run]) -> Iterable[Run]:
    """Move the spaces at the ends of a marked run out of its marks, where Slack would not see them as such."""
    for run in joined(runs):
        inside = run.text.strip()
        if not run.styles or not inside:
            yield Run(run.text)
            continue
        start = len(run.text) - len(run.text.lstrip())
        yield Run(run.text[:start])
        yield replace(run, text=inside)
        yield Run(run.text[start + len(inside) :])


def _piece(run: Run) -> str:
    words = run.text
    if Style.CODE in run.styles:
        words = _escaped(words.replace("`", "‵"))
    else:
        words = _escaped(_MARKS_IN_TEXT.sub(_without_effect, words))
    if run.address:
        words = f"<{_escaped(web_address(run.address))}|{words.replace('|', '¦')}>"
    marks = [mark for style, mark in MARKS.items() if style in run.styles] if run.text.strip() else []
    return "".join(marks) + words + "".join(reversed(marks))


def _without_effect(marks: re.Match[str]) -> str:
    before, after = marks.string[: marks.start()][-1:], marks.string[marks.end() : marks.end() + 1]
    inside_a_word = before.isalnum() and after.isalnum()
    apart = before.isspace() and after.isspace()
    has_no_effect = len(marks[0]) == 1 and (inside_a_word or apart) and "`" not in marks[0]
    return marks[0] if has_no_effect else marks[0].translate(LOOK_ALIKES)


def _escaped(words: str) -> str:
    return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
