"""What no surface acts on: steering characters, half characters, and raw HTML, which is shown as text."""

from __future__ import annotations

import re
from string import punctuation
from typing import TYPE_CHECKING

import pyromark
from pyromark import Options

from pytest_llmout.outputs.markdown_tree import encodable

if TYPE_CHECKING:
    from collections.abc import Iterator

DIALECT = Options.ENABLE_TABLES | Options.ENABLE_STRIKETHROUGH | Options.ENABLE_TASKLISTS
"""What the renderer of GitHub reads."""

_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_LINE_END = re.compile("\r\n?")
_WORD_JOINER = "\u2060"  # neither space nor punctuation, as most of what it stands for, so that it moves no emphasis
_PUNCTUATION = re.compile(f"[{re.escape(punctuation)}]")


def inert(text: str) -> str:
    """Return Markdown of LF lines without control characters and bidirectional marks, in which HTML is escaped.

    Escaped, and not dropped as GitHub does: a tag that a model forgot to write as code is part of what it says.
    """
    text = without_steering(_LINE_END.sub("\n", text).replace("\f", " "))
    return "".join(_html_escaped(text)) if "<" in text else text


def without_steering(shown: str) -> str:
    """Return a text with stand-ins for what steers; also for what a surface shows, since an entity can be anything."""
    return encodable(_STEERING.sub(_WORD_JOINER, shown))


def _html_escaped(text: str) -> Iterator[str]:
    data, done = text.encode(), 0
    for event, place in pyromark.events_with_range(text, options=DIALECT):
        if "Html" in event or "InlineHtml" in event:
            start, end = place["start"], place["end"]
            yield data[done:start].decode()
            # Without its indent, by which it could be code.
            yield _PUNCTUATION.sub(r"\\\g<0>", data[start:end].decode().lstrip(" \t"))
            done = end
    yield data[done:].decode()
