"""The rule of Markdown promotion, as plainly as it can be said: whole texts, no shortcut, no bound.

Promote each lone `*` emphasis that both dialects see, all of them if both trees hold, else one by one from left to
right, again and again until no more of them hold.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pyromark

from pytest_llmout.outputs.bare_urls import bare_urls
from pytest_llmout.outputs.markdown_tree import COMMONMARK, GFM

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from pyromark import Options
    from pyromark.event import Event

Span = tuple[int, int]


def slow_canonical(raw: str) -> str:
    """Return the canonical form of a text."""
    spans = sorted(_slow_promotions(encodable(raw)))
    text = raw.encode("utf-8", "surrogatepass")
    return promoted(text, spans).decode("utf-8", "surrogatepass")


def encodable(raw: str) -> str:
    """Put a stand-in of the same width in the place of each lone surrogate, and end a line at each lone CR."""
    return re.sub("[\ud800-\udfff]", "\ue000", re.sub("\r(?!\n)", "\n", raw))


def promoted(text: bytes, spans: AbstractSet[Span] | list[Span]) -> bytes:
    """Insert an asterisk at both ends of each of these byte ranges."""
    for offset in sorted((end for span in spans for end in span), reverse=True):
        text = text[:offset] + b"*" + text[offset:]
    return text


def tree(text: str, dialect: Options, strong: AbstractSet[Span] = frozenset()) -> list[object]:
    """Return all events of a text, those of the given emphasis nodes turned into strong."""
    return [
        {next(iter(event)): "Strong"} if kind == "Emphasis" and span in strong else event
        for event, kind, span in _with_nodes(text, dialect)
    ]


def emphasis_spans(text: str, dialect: Options) -> set[Span]:
    """Return the byte ranges of all emphasis nodes of a text."""
    return {span for _, kind, span in _with_nodes(text, dialect) if kind == "Emphasis"}


def _slow_promotions(text: str) -> set[Span]:
    candidates = _lone(text, COMMONMARK) & _lone(text, GFM) - _in_urls(text)
    if _holds(text, candidates):
        return candidates
    kept: set[Span] = set()
    before = None
    while before != kept:
        before = kept.copy()
        for span in sorted(candidates - kept):
            if _holds(text, kept | {span}):
                kept.add(span)
    return kept


def _holds(text: str, spans: set[Span]) -> bool:
    edited = promoted(text.encode(), spans).decode()
    return all(tree(edited, dialect) == tree(text, dialect, spans) for dialect in (COMMONMARK, GFM))


def _lone(text: str, dialect: Options) -> set[Span]:
    """Return the single-`*` emphasis neither inside nor around another emphasis or strong, nor in an image."""
    data = text.encode()
    nodes = {(span, kind) for _, kind, span in _with_nodes(text, dialect) if kind in {"Emphasis", "Strong", "Image"}}
    return {
        span
        for span, kind in nodes
        if kind == "Emphasis"
        and data[span[0] : span[0] + 1] == b"*" != data[span[0] + 1 : span[0] + 2]
        and not any(_within(span, other) or (_within(other, span) and name != "Image") for other, name in nodes)
    }


def _within(inner: Span, outer: Span) -> bool:
    return inner != outer and outer[0] <= inner[0] and inner[1] <= outer[1]


def _in_urls(text: str) -> set[Span]:
    """Return the emphasis nodes of which a delimiter lies inside a bare URL."""
    urls = bare_urls(text)
    return {
        (start, end)
        for start, end in emphasis_spans(text, GFM)
        if any(url[0] <= delimiter < url[1] for delimiter in (start, end - 1) for url in urls)
    }


def _with_nodes(text: str, dialect: Options) -> Iterator[tuple[Event, str, Span]]:
    """Yield each event, the kind of node it starts or ends (or nothing), and the byte range of that."""
    for event, where in pyromark.events_with_range(text, options=dialect, merge_text=True):
        match event:
            case {"Start": tag} | {"End": tag}:
                kind = next(iter(tag)) if isinstance(tag, dict) else str(tag)
            case _:
                kind = ""
        yield event, kind, (where["start"], where["end"])
