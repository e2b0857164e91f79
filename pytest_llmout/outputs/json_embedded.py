"""Finding the JSON values that stand in prose: between a lead-in and a remark, fenced or bare."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

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
    """A JSON value within a longer text."""

    text: str
    surroundings: tuple[str, ...]
    """Notes on what stands around it: `lead_in`, `fence`, `trailing_remark`."""


class _Span(NamedTuple):
    """Where something stands, in bytes of the text's UTF-8 form."""

    start: int
    end: int
    fenced: bool
    """Whether a code fence holds just this."""


def find_values(text: str) -> list[Found]:
    """Find the outermost JSON values of a text, leaving out those that stand in a model's reasoning.

    Reasoning is what stands before the last `</think>` that is not inside a value, or the whole of a text that begins
    with a `<think>` that is never closed.
    Time is linear in the text, since a value is at most 201 levels deep.
    """
    # A lone surrogate has no UTF-8 form; NUL is as much refused within a value and as harmless around it.
    source = _SURROGATE.sub("\0", text).encode()
    spans = sorted([*_fenced_spans(source), *_bracketed_spans(source)], key=lambda span: (span.start, -span.end))
    values: list[_Span] = []
    for span in spans:
        is_inside_another = values and span.start < values[-1].end
        if not is_inside_another and isinstance(read_json(source[span.start : span.end].decode()), JsonText):
            values.append(span)
    return [_found(source, span) for span in _after_reasoning(source, values)]


def _found(source: bytes, span: _Span) -> Found:
    before, after = source[: span.start].rstrip(), source[span.end :].strip(b" \t\r\n`~")
    if span.fenced:
        before = before[: before.rfind(b"\n") + 1].rstrip()
    present = {"lead_in": before, "fence": span.fenced, "trailing_remark": after}
    notes = tuple(note for note, met in present.items() if met)
    return Found(source[span.start : span.end].decode(), notes)


def _after_reasoning(source: bytes, values: list[_Span]) -> list[_Span]:
    edges = [0, *(edge for value in values for edge in (value.start, value.end)), len(source)]
    gaps = list(pairwise(edges))[::2]
    if source.lstrip().startswith(_REASONING_START) and source.find(_REASONING_END) < 0:
        return []
    reasoned = [index for index, (start, end) in enumerate(gaps) if source.find(_REASONING_END, start, end) >= 0]
    return values[reasoned[-1] :] if reasoned else values


def _fenced_spans(source: bytes) -> Iterator[_Span]:
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
                yield _Span(start, end, fenced=True)


def _bracketed_spans(source: bytes) -> Iterator[_Span]:
    is_open: deque[tuple[bytes, int]] = deque(maxlen=_DEEPEST)
    position = 0
    while token := (_TOKEN if is_open else _OPENING).search(source, position):
        position = token.end()
        match token[0]:
            case b"{" | b"[":
                is_open.append((token[0], token.start()))
            case b"}" | b"]":
                if (start := _close(is_open, _PARTNER[token[0]])) is not None:
                    yield _Span(start, position, fenced=False)


def _close(is_open: deque[tuple[bytes, int]], partner: bytes) -> int | None:
    """Forget the brackets that were never closed before this one, unless it closes none itself."""
    if all(bracket != partner for bracket, _ in is_open):
        return None
    while True:
        bracket, start = is_open.pop()
        if bracket == partner:
            return start
