"""One bounded line out of any text: the form in which a failure is told to a model."""

from __future__ import annotations

LINE_LIMIT = 500
EXCERPT_LIMIT = 40


def one_line(text: str) -> str:
    """Return the text as one line of at most 500 characters, each that does not print as the escape of its code point.

    Reading stops where the limit is reached, so a text of any size costs the same.
    """
    head = text[: LINE_LIMIT + 1]
    line = head if head.isprintable() else "".join(map(_printable, head))
    return line if len(line) <= LINE_LIMIT else line[: LINE_LIMIT - 1] + "…"


def excerpt(text: str, limit: int = EXCERPT_LIMIT) -> str:
    """Return the beginning of a text, at most `limit` characters with an ellipsis for the rest."""
    return text if len(text) <= limit else text[:limit] + "…"


def ending(text: str) -> str:
    """Return the end of a text, at most 40 characters with an ellipsis for what came before."""
    return text if len(text) <= EXCERPT_LIMIT else "…" + text[-EXCERPT_LIMIT:]


def _printable(character: str) -> str:
    return character if character.isprintable() else character.encode("unicode_escape").decode()
