"""Finding the JSON that stands in prose, between a lead-in and a remark, fenced or bare, whole or broken."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import pyromark

from pytest_llmout.outputs.json_strict import WHITE_SPACE, JsonText, read_json
from pytest_llmout.outputs.json_syntax import readable_length

if TYPE_CHECKING:
    from collections.abc import Iterator

# The parser's limit: what is nested deeper is no value, nor is a piece of it, so the brackets before may be forgotten.
_DEEPEST = 201
_OPENING = re.compile(rb"[{\[]")
# Inside brackets a quote opens a string; one that is not closed on its line is prose and hides the rest of the line.
_TOKEN = re.compile(rb'"(?:[^"\\\x00-\x1f]|\\.)*+"?|[{}\[\]]')
_PARTNER = {b"}": b"{", b"]": b"["}
_FENCE_CHARACTERS = b"`~"
_SURROGATE = re.compile("[\ud800-\udfff]")
_REASONING_START, _REASONING_END = b"<think>", b"</think>"


@dataclass(frozen=True, slots=True)
class Found:
    """JSON within a longer text; positions are bytes of the text's UTF-8 form."""

    source: bytes
    start: int
    end: int
    fenced: bool
    """Whether a code fence holds just this."""
    is_value: bool = False
    """Whether it is a value that can be taken; if not, it is broken or cut off."""
    readable: int = 0
    """How many bytes are JSON, or may begin some."""

    @property
    def text(self) -> str:
        """The JSON as it is written."""
        return self.source[self.start : self.end].decode()

    @property
    def place(self) -> slice:
        """Where it stands, in characters."""
        start = len(self.source[: self.start].decode())
        return slice(start, start + len(self.text))

    def surroundings(self) -> tuple[str, ...]:
        """Return notes on what stands around the value: `lead_in`, `fence`, `trailing_remark`."""
        before, after = self.source[: self.start].rstrip(WHITE_SPACE), self.source[self.end :].strip(WHITE_SPACE)
        if self.fenced:
            before = before[: before.rfind(b"\n") + 1].rstrip(WHITE_SPACE)
        # The end of a fence that was begun before is no remark.
        after = after.lstrip(_FENCE_CHARACTERS) if self.fenced or before else after
        present = {"lead_in": before, "fence": self.fenced, "trailing_remark": after}
        return tuple(note for note, met in present.items() if met)


def find_json(text: str) -> list[Found]:
    """Find the outermost JSON of a text, whole or broken, leaving out what stands in a model's reasoning.

    What stands within the readable beginning of a larger value, broken or cut off further on, is a piece of that one
    and not found by itself. Brackets around words are prose.
    Reasoning is what stands before the last `</think>` that is not inside a value; in a text that begins with a
    `<think>` that is never closed, no value counts.
    Time is linear in the text, since a value is at most 201 levels deep.
    """
    # A lone surrogate has no UTF-8 form; NUL is as much refused within a value and as harmless around it.
    source = _SURROGATE.sub("\0", text).encode()
    found: list[Found] = []
    read = 0
    for candidate in sorted([*_fenced(source), *_bracketed(source)], key=lambda one: (one.start, -one.end)):
        if candidate.start >= read:
            one = _measured(candidate)
            read = one.start + one.readable
            found.append(one)
    return _after_reasoning(source, [one for one in found if not _is_prose(one)])


def _measured(candidate: Found) -> Found:
    readable = readable_length(candidate.source[candidate.start : candidate.end])
    is_read = candidate.start + readable == candidate.end
    return replace(candidate, readable=readable, is_value=is_read and isinstance(read_json(candidate.text), JsonText))


def _is_prose(found: Found) -> bool:
    opening = found.source[found.start : found.start + 1]
    return found.readable <= (0 if opening == b"{" else 1) and not found.is_value


def _after_reasoning(source: bytes, found: list[Found]) -> list[Found]:
    if source.lstrip().startswith(_REASONING_START) and source.find(_REASONING_END) < 0:
        return [one for one in found if not one.is_value]
    edges = [0, *(edge for one in found if one.is_value for edge in (one.start, one.end)), len(source)]
    gaps = list(pairwise(edges))[::2]
    reasoned = max(source.rfind(_REASONING_END, start, end) for start, end in gaps)
    return [one for one in found if one.start > reasoned]


def _fenced(source: bytes) -> Iterator[Found]:
    if b"```" not in source and b"~~~" not in source:
        return
    start = end = 0
    inside = False
    for event, place in pyromark.events_with_range(source.decode()):
        match event:
            case {"Start": {"CodeBlock": {"Fenced": _}}}:
                start, inside = 0, True
            case {"Text": _} if inside:
                # A fence stands before the text, so no text starts at 0.
                start, end = start or place["start"], place["end"]
            case {"End": "CodeBlock"} if inside:
                inside = False
                yield Found(source, start, end, fenced=True)


def _bracketed(source: bytes) -> Iterator[Found]:
    is_open: deque[tuple[bytes, int]] = deque(maxlen=_DEEPEST)
    forgotten = position = 0
    while token := (_TOKEN if is_open or forgotten else _OPENING).search(source, position):
        position = token.end()
        match token[0]:
            case b"{" | b"[":
                if len(is_open) == _DEEPEST:
                    if not forgotten:
                        yield Found(source, is_open[0][1], position, fenced=False)
                    forgotten += 1
                is_open.append((token[0], token.start()))
            case b"}" | b"]" if not is_open:
                forgotten -= 1
            case b"}" | b"]":
                start = _close(is_open, _PARTNER[token[0]])
                if start is not None and not forgotten:
                    yield Found(source, start, position, fenced=False)
    if not forgotten:
        yield from (Found(source, start, len(source), fenced=False) for _, start in is_open)


def _close(is_open: deque[tuple[bytes, int]], partner: bytes) -> int | None:
    """Forget the brackets that were never closed before this one, unless it closes none itself."""
    if all(bracket != partner for bracket, _ in is_open):
        return None
    while True:
        bracket, start = is_open.pop()
        if bracket == partner:
            return start
