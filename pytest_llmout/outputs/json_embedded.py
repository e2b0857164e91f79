"""Finding the JSON values that stand in prose: between a lead-in and a remark, fenced or bare."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import pyromark

from pytest_llmout.outputs.json_strict import JsonText, read_json

if TYPE_CHECKING:
    from collections.abc import Iterator

# The parser's limit: what is nested deeper is no value, so that much of the open brackets is worth remembering.
_DEEPEST = 201
_OPENING = re.compile(rb"[{\[]")
# Inside brackets a quote opens a string; one that is not closed on its line is prose and hides the rest of the line.
_TOKEN = re.compile(rb'"(?:[^"\\\x00-\x1f]|\\.)*+"?|[{}\[\]]')
_PARTNER = {b"}": b"{", b"]": b"["}
_SURROGATE = re.compile("[\ud800-\udfff]")
_REASONING_START, _REASONING_END = b"<think>", b"</think>"


@dataclass(frozen=True, slots=True)
class Found:
    """A JSON value within a longer text; positions are bytes of the text's UTF-8 form."""

    source: bytes
    start: int
    end: int
    fenced: bool
    """Whether a code fence holds just this."""

    @property
    def text(self) -> str:
        """The value as it is written."""
        return self.source[self.start : self.end].decode()

    def surroundings(self) -> tuple[str, ...]:
        """Return notes on what stands around the value: `lead_in`, `fence`, `trailing_remark`."""
        before, after = self.source[: self.start].rstrip(), self.source[self.end :].strip(b" \t\r\n`~")
        if self.fenced:
            before = before[: before.rfind(b"\n") + 1].rstrip()
        present = {"lead_in": before, "fence": self.fenced, "trailing_remark": after}
        return tuple(note for note, met in present.items() if met)


def find_values(text: str) -> list[Found]:
    """Find the outermost JSON values of a text, leaving out those that stand in a model's reasoning.

    Reasoning is what stands before the last `</think>` that is not inside a value, or the whole of a text that begins
    with a `<think>` that is never closed.
    Time is linear in the text, since a value is at most 201 levels deep.
    """
    # A lone surrogate has no UTF-8 form; NUL is as much refused within a value and as harmless around it.
    source = _SURROGATE.sub("\0", text).encode()
    candidates = sorted([*_fenced(source), *_bracketed(source)], key=lambda found: (found.start, -found.end))
    values: list[Found] = []
    for found in candidates:
        is_inside_another = values and found.start < values[-1].end
        if not is_inside_another and isinstance(read_json(found.text), JsonText):
            values.append(found)
    return _after_reasoning(source, values)


def _after_reasoning(source: bytes, values: list[Found]) -> list[Found]:
    edges = [0, *(edge for value in values for edge in (value.start, value.end)), len(source)]
    gaps = list(pairwise(edges))[::2]
    if source.lstrip().startswith(_REASONING_START) and source.find(_REASONING_END) < 0:
        return []
    reasoned = [index for index, (start, end) in enumerate(gaps) if source.find(_REASONING_END, start, end) >= 0]
    return values[reasoned[-1] :] if reasoned else values


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
    position = 0
    while token := (_TOKEN if is_open else _OPENING).search(source, position):
        position = token.end()
        match token[0]:
            case b"{" | b"[":
                is_open.append((token[0], token.start()))
            case b"}" | b"]":
                if (start := _close(is_open, _PARTNER[token[0]])) is not None:
                    yield Found(source, start, position, fenced=False)


def _close(is_open: deque[tuple[bytes, int]], partner: bytes) -> int | None:
    """Forget the brackets that were never closed before this one, unless it closes none itself."""
    if all(bracket != partner for bracket, _ in is_open):
        return None
    while True:
        bracket, start = is_open.pop()
        if bracket == partner:
            return start
