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
_DEEPEST = 200
_OPENING = re.compile(rb"[{\[]")
# Inside brackets a quote opens a string; one that is not closed on its line is prose and hides the rest of the line.
_TOKEN = re.compile(rb'"(?:[^"\\\x00-\x1f]|\\.)*+"?|[{}\[\]]')
_PARTNER = {b"}": b"{", b"]": b"["}
_SURROGATE = re.compile("[\ud800-\udfff]")
_REASONING_END = b"</think>"


@dataclass(frozen=True, slots=True)
class Found:
    """A JSON value within a longer text; positions are bytes of its UTF-8 form."""

    text: JsonText
    start: int
    end: int
    fenced: bool
    """Whether a code fence holds nothing but the value."""


@dataclass(frozen=True, slots=True)
class Findings:
    """The values of a text that stand beside each other, in order."""

    values: tuple[Found, ...]
    source: bytes

    def has_lead_in(self, value: Found) -> bool:
        """Whether anything but an opening fence stands before a value."""
        before = self.source[: value.start].rstrip()
        if value.fenced:
            before = before[: before.rfind(b"\n") + 1]
        return bool(before.strip())

    def has_trailing_remark(self, value: Found) -> bool:
        """Whether anything but a closing fence stands after a value."""
        after = self.source[value.end :]
        return bool(after.strip(b" \t\r\n`~") if value.fenced else after.strip())


def find_values(text: str) -> Findings:
    """Find the outermost JSON values of a text, leaving out those that stand in a model's reasoning.

    Reasoning is what stands before the last `</think>` that is not inside a value.
    Time is linear in the text, since a value is at most 200 levels deep.
    """
    # A lone surrogate has no UTF-8 form; NUL is as much refused within a value and as harmless around it.
    source = _SURROGATE.sub("\0", text).encode()
    spans = sorted([*_fenced_spans(source), *_bracketed_spans(source)], key=lambda span: (span[0], -span[1]))
    values: list[Found] = []
    for start, end, fenced in spans:
        if values and start < values[-1].end:
            continue
        read = read_json(source[start:end].decode())
        if isinstance(read, JsonText):
            values.append(Found(read, start, end, fenced))
    return Findings(tuple(_after_reasoning(source, values)), source)


def _after_reasoning(source: bytes, values: list[Found]) -> list[Found]:
    edges = [0, *(edge for value in values for edge in (value.start, value.end)), len(source)]
    gaps = list(pairwise(edges))[::2]
    reasoned = [index for index, (start, end) in enumerate(gaps) if source.find(_REASONING_END, start, end) >= 0]
    return values[reasoned[-1] :] if reasoned else values


def _fenced_spans(source: bytes) -> Iterator[tuple[int, int, bool]]:
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
                yield start, end, True


def _bracketed_spans(source: bytes) -> Iterator[tuple[int, int, bool]]:
    is_open: deque[tuple[bytes, int]] = deque(maxlen=_DEEPEST)
    position = 0
    while token := (_TOKEN if is_open else _OPENING).search(source, position):
        position = token.end()
        match token[0]:
            case b"{" | b"[":
                is_open.append((token[0], token.start()))
            case b"}" | b"]":
                if (start := _close(is_open, _PARTNER[token[0]])) is not None:
                    yield start, position, False


def _close(is_open: deque[tuple[bytes, int]], partner: bytes) -> int | None:
    """Forget the brackets that were never closed before this one, unless it closes none itself."""
    if all(bracket != partner for bracket, _ in is_open):
        return None
    while True:
        bracket, start = is_open.pop()
        if bracket == partner:
            return start
