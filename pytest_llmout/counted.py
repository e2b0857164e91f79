"""Numbers and what they count, in messages."""

from __future__ import annotations


def counted(number: int, one: str, many: str = "") -> str:
    """Return `1 reply` or `2 replies`; without a plural the word gets an `s`."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"
