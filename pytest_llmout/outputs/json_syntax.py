"""Telling a model why its reply is not JSON: what is wrong, where, and what stands there."""

from __future__ import annotations

import re
from typing import AnyStr

from pydantic_core import from_json

from pytest_llmout.contract import Failure, FailureKind
from pytest_llmout.outputs.json_reasons import PARSER_MESSAGES, UNKNOWN, Complaint
from pytest_llmout.outputs.one_line import ending, excerpt, one_line

EMPTY = Failure(FailureKind.SYNTAX, "(empty reply)", "empty")

_MESSAGE = re.compile(r"(?P<what>.*) at line (?P<line>\d+) column (?P<column>\d+)", re.DOTALL)
_NOT_FINITE = re.compile(r"-?(?:NaN|Infinity)\b")
_WORD = re.compile(r"(?<![\w\"])(?:-|n|nu|nul|t|tr|tru|f|fa|fal|fals)")
_CONTEXT = 200


def explain_syntax(text: str, message: str) -> Failure:
    """Turn the parser's message into a failure.

    Args:
        text: What was parsed.
        message: pydantic-core's message; its column counts the bytes of a line.
    """
    if not text.strip(" \t\n\r"):
        return EMPTY
    found = _MESSAGE.fullmatch(message)
    if found is None:
        return Failure(FailureKind.SYNTAX, f"not valid JSON: {UNKNOWN.words}", UNKNOWN.reason)
    line, column = int(found["line"]), int(found["column"])
    index = _character_index(text, line, column)
    complaint = _complaint(found["what"], text, index)
    where = _where(text, index, complaint.reason)
    return Failure(FailureKind.SYNTAX, one_line(f"not valid JSON: {complaint.words}{where}"), complaint.reason)


def explain_text_after_fence(text: str, index: int) -> Failure:
    """Say that a code fence around a JSON value is not the whole reply: what follows it begins at the index."""
    reason = "trailing_text"
    words = f"the JSON value is complete, but text follows its code fence{_where(text, index, reason)}"
    return Failure(FailureKind.SYNTAX, one_line(f"not valid JSON: {words}"), reason)


def readable_length(source: bytes) -> int:
    """Return how many bytes of a text can begin a JSON value; none of one that is complete before the text is."""
    try:
        from_json(source, allow_inf_nan=False)
    except ValueError as error:
        return _readable_length(source, str(error))
    return len(source)


def _readable_length(source: bytes, message: str) -> int:
    found = _MESSAGE.fullmatch(message)
    reason = next((meaning.reason for begin, meaning in PARSER_MESSAGES.items() if message.startswith(begin)), "")
    if found is None or reason == "trailing_text":
        return 0
    if reason == "truncated":
        return len(source)
    return _line_start(source, int(found["line"]), b"\n") + int(found["column"]) - 1


def _line_start(text: AnyStr, line: int, newline: AnyStr) -> int:
    start = 0
    for _ in range(line - 1):
        start = text.index(newline, start) + 1
    return start


def _complaint(what: str, text: str, index: int) -> Complaint:
    if number := _NOT_FINITE.match(text, index):
        return Complaint("not_finite", f"{number[0]} is no JSON value")
    return next((meaning for begin, meaning in PARSER_MESSAGES.items() if what.startswith(begin)), UNKNOWN)


def _where(text: str, index: int, reason: str) -> str:
    if reason == "truncated":
        return f"; the reply is cut off after `{ending(text[-_CONTEXT:].strip())}`"
    if reason == "too_deep":
        return ""
    before = ending(text[max(index - _CONTEXT, 0) : index].strip())
    here = excerpt(text[index : index + _CONTEXT].strip())
    if not before:
        return f", but it begins with `{here}`"
    line, column = _position(text, index)
    return f" at line {line}, column {column}: after `{before}` comes `{here}`"


def _position(text: str, index: int) -> tuple[int, int]:
    return text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index)


def _character_index(text: str, line: int, column: int) -> int:
    start = _line_start(text, line, "\n")
    if column == 0:  # the parser has already counted the line break that it complains about
        return max(start - 1, 0)
    # No character takes more bytes than the column has, so this much of the line holds the column.
    head = text[start : start + column].encode()[: column - 1]
    index = start + len(head.decode(errors="ignore"))
    # The parser goes into a word as far as it could be `null`, `true`, `false` or a negative number.
    return next((begin for begin in range(max(index - 4, 0), index) if _WORD.fullmatch(text, begin, index)), index)
