"""Text made visible: what a reader cannot see stands as a sign, and nothing is lost."""

from __future__ import annotations

import unicodedata

_SIGNS = {" ": "·", "\t": "→", "\r": "␍", "\n": "␤"}
_QUOTED = {*_SIGNS.values(), "⟨"}
_UNSEEN = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs"}


class _Visible(dict[int, str]):
    """Maps code points for `str.translate`, each worked out once."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        sign = _SIGNS.get(char, char)
        if sign == char and (char in _QUOTED or unicodedata.category(char) in _UNSEEN):
            sign = f"⟨U+{code:04X}⟩"
        self[code] = sign
        return sign


_VISIBLE = _Visible()


def visible(text: str) -> str:
    """Return the text with space, tab, CR and LF as `·`, `→`, `␍`, `␤`, on one line.

    Everything else that has no glyph of its own (control and format characters, other spaces, lone surrogates), and the
    signs themselves where the text holds them, stand as their code point, `⟨U+2028⟩`: the text can be read back.
    """
    return text.translate(_VISIBLE)


def printable(text: str) -> str:
    """Return the text with its spaces, tabs and line feeds, and what else has no glyph as its code point."""
    return "".join(char if char in " \t\n" or char in _QUOTED else visible(char) for char in text)


def cells(text: str) -> int:
    """Return how many terminal columns a text takes: 2 for a wide character, 0 for a combining mark."""
    return sum(map(_cells, text))


def _cells(char: str) -> int:
    if unicodedata.category(char) in {"Mn", "Me"}:
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
