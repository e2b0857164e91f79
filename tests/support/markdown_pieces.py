"""Cutting texts into the pieces of a stream."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from pytest_llmout import MarkdownStream

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def cut(text: str, places: Sequence[int]) -> list[str]:
    """Cut a text at these offsets, given in any order."""
    return [text[start:end] for start, end in pairwise([0, *sorted(places), len(text)])]


def streamed(pieces: Sequence[str]) -> str:
    """Return all that a stream gives out for these pieces."""
    stream = MarkdownStream()
    return "".join([*map(stream.feed, pieces), stream.close()])


def lags(text: str, size: int) -> Iterator[int]:
    """Yield how many characters are held back after each piece of this size."""
    stream = MarkdownStream()
    for start in range(0, len(text), size):
        stream.feed(text[start : start + size])
        yield stream.held
