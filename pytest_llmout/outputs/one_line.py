"""One bounded line out of any text: the form in which a failure is told to a model."""

from __future__ import annotations

import re

LINE_LIMIT = 500
EXCERPT_LIMIT = 40
# Control characters, line and paragraph separators, and surrogates: nothing of these may reach a message.
_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def one_line(text: str) -> str:
    """Return the text as one line of at most 500 characters, control characters and surrogates escaped.

    Reading stops where the limit is reached, so a text of any size costs the same.
    """
    line = _UNPRINTABLE.sub(_escape, text[: LINE_LIMIT + 1])
    return line if len(line) <= LINE_LIMIT else line[: LINE_LIMIT - 1] + "…"


def excerpt(text: str, limit: int = EXCERPT_LIMIT) -> str:
    """Return the beginning of a text, at most `limit` characters with an ellipsis for the rest."""
    return text if len(text) <= limit else text[:limit] + "…"


def ending(text: str) -> str:
    """Return the end of a text, at most 40 characters with an ellipsis for what came before."""
    return text if len(text) <= EXCERPT_LIMIT else "…" + text[-EXCERPT_LIMIT:]


def _escape(found: re.Match[str]) -> str:
    match found[0]:
        case "\n":
            return "\\n"
        case "\r":
            return "\\r"
        case "\t":
            return "\\t"
        case character:
            return f"\\u{ord(character):04x}"
