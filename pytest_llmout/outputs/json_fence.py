"""Finding the one code fence, or code span, that wraps a whole reply."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyromark

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyromark.event import Event, Range

_FENCE_CHARACTERS = ("`", "~")
_BLOCK_END: Event = {"End": "CodeBlock"}


def unwrap_fence(text: str) -> str | None:
    """Return what stands inside the code fence or code span that is the whole text, or `None` if there is none.

    A CommonMark parser decides what is a fence: any info string, backticks or tildes, closed or not. A closing fence
    glued to the end of the last line, which CommonMark takes for text, is dropped too; no JSON value ends that way.
    """
    bare = text.lstrip()
    if not bare.startswith(_FENCE_CHARACTERS):
        return None
    if (plain := _plain_fence(text)) is not None:
        return plain
    try:
        source = text.encode()
    except UnicodeEncodeError:  # a lone surrogate, with or without a fence, is refused
        return None
    inside = _only_code(pyromark.events_with_range(text, merge_text=True))
    return None if inside is None else source[inside].decode().rstrip().rstrip(bare[0]).lstrip(bare[0])


def _plain_fence(text: str) -> str | None:
    """Return what stands inside a fence of three backticks around a text that holds no other, as most replies have it.

    With no other backtick and no carriage return there is only one way to read it, and the parser need not be asked.
    """
    last = len(text) - 4
    if not text.startswith("```") or text.find("`", 3) != last + 1 or not text.endswith("\n```") or "\r" in text:
        return None
    return text[text.index("\n") + 1 : last].rstrip()


def _only_code(events: Iterator[tuple[Event, Range]]) -> slice | None:
    inside: slice | None
    match next(events)[0]:
        case {"Start": {"CodeBlock": {"Fenced": _}}}:
            inside = _block_text(events)
        case {"Start": "Paragraph"}:
            inside = _span_text(events)
        case _:
            return None
    return inside if next(events, None) is None else None


def _block_text(events: Iterator[tuple[Event, Range]]) -> slice:
    event, place = next(events)
    if event == _BLOCK_END:
        return slice(0, 0)
    next(events)  # the end: all text of a block is one event once it is merged
    return slice(place["start"], place["end"])


def _span_text(events: Iterator[tuple[Event, Range]]) -> slice | None:
    event, place = next(events)
    if "Code" not in event or next(events)[0] != {"End": "Paragraph"}:
        return None
    return slice(place["start"], place["end"])
