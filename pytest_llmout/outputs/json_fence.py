"""Finding the one code fence, or code span, that wraps a whole reply."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pyromark

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyromark.event import Event, Range

_FENCE_CHARACTERS = ("`", "~")
_BLOCK_END: Event = {"End": "CodeBlock"}
_SPAN_END: Event = {"End": "Paragraph"}


class Fence(NamedTuple):
    """A code fence, or code span, that a text begins with; positions are characters of the text."""

    start: int
    """Where begins what stands inside."""
    inside: str
    after: int | None = None
    """Where begins what follows; `None` where nothing does, so that the fence is the whole text."""

    @property
    def place(self) -> slice:
        """Where stands what is inside."""
        return slice(self.start, self.start + len(self.inside))


def unwrap_fence(text: str) -> str | None:
    """Return what stands inside the code fence or code span that is the whole text, or `None` if there is none."""
    fence = find_fence(text)
    return None if fence is None or fence.after is not None else fence.inside


def find_fence(text: str) -> Fence | None:
    """Return the code fence or code span that comes first in a text, or `None` if something else does.

    A CommonMark parser decides what is a fence: any info string, backticks or tildes, closed or not. A closing fence
    glued to the end of the last line, which CommonMark takes for text, is dropped too; no JSON value ends that way.
    """
    if (plain := _plain_fence(text)) is not None:
        return plain
    bare = text.lstrip()
    if not bare.startswith(_FENCE_CHARACTERS):
        return None
    try:
        source = text.encode()
    except UnicodeEncodeError:  # a lone surrogate, with or without a fence, is refused
        return None
    code, rest = _first_code(pyromark.events_with_range(text, merge_text=True))
    if code is None:
        return None
    inside = source[code].decode().rstrip().rstrip(bare[0])
    mark = len(inside) - len(inside.lstrip(bare[0]))
    start = _characters(source, code.start) + mark
    return Fence(start, inside[mark:], None if rest is None else _characters(source, rest))


def _plain_fence(text: str) -> Fence | None:
    """Return what stands inside a fence of three backticks around a text that holds no other, as most replies have it.

    With no other backtick and no carriage return there is only one way to read it, and the parser need not be asked.
    """
    last = len(text) - 4
    if not text.startswith("```") or text.find("`", 3) != last + 1 or not text.endswith("\n```") or "\r" in text:
        return None
    start = text.index("\n") + 1
    return Fence(start, text[start:last].rstrip())


def _characters(source: bytes, index: int) -> int:
    return len(source[:index].decode())


def _first_code(events: Iterator[tuple[Event, Range]]) -> tuple[slice | None, int | None]:
    """Return where the text of a fence or span that comes first stands, and where anything after it does."""
    inside: slice | None = None
    match next(events)[0]:
        case {"Start": {"CodeBlock": {"Fenced": _}}}:
            inside = _block_text(events)
        case {"Start": "Paragraph"}:
            inside = _span_text(events)
    rest = next((place["start"] for event, place in events if event != _SPAN_END), None)
    return inside, rest


def _block_text(events: Iterator[tuple[Event, Range]]) -> slice:
    event, place = next(events)
    if event == _BLOCK_END:
        return slice(0, 0)
    next(events)  # the end: all text of a block is one event once it is merged
    return slice(place["start"], place["end"])


def _span_text(events: Iterator[tuple[Event, Range]]) -> slice | None:
    event, place = next(events)
    return slice(place["start"], place["end"]) if "Code" in event else None
