"""The differences that a diff shows badly, each named in words."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def sole_difference(before: str, after: str) -> str | None:
    """Return the name of the one thing two texts differ in, if it is one of those that are hard to see.

    These are Unicode normalisation, line ends, the last line end, and whitespace at the ends of lines.
    """
    for name, fold in _FOLDS.items():
        if before != after and fold(before) == fold(after):
            return name
    return None


def normal_form(text: str) -> str:
    """Return which Unicode normal form a text is in: `NFC`, `NFD`, or `neither NFC nor NFD`."""
    if unicodedata.is_normalized("NFC", text):
        return "NFC"
    return "NFD" if unicodedata.is_normalized("NFD", text) else "neither NFC nor NFD"


def _unix_line_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _no_last_line_end(text: str) -> str:
    return text.rstrip("\r\n")


def _no_trailing_space(text: str) -> str:
    return "\n".join(line.rstrip(" \t") for line in text.split("\n"))


_FOLDS: dict[str, Callable[[str], str]] = {
    "Unicode normalisation": lambda text: unicodedata.normalize("NFC", text),
    "line ends": _unix_line_ends,
    "the last line end": _no_last_line_end,
    "spaces or tabs at the ends of lines": _no_trailing_space,
}
