"""Bare URLs: text that GitHub Flavored Markdown links by itself.

The rule is the autolinks extension of the GFM specification (https://github.github.com/gfm/#autolinks-extension-).
Where its two reference programs, cmark-gfm and micromark, agree on more than that text says, so does this module: after
`http://` a host needs no period, before it stands any character but a letter, and a quote ends no URL.
E-mail autolinks are left out: no asterisk can be part of one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pyromark

from pytest_llmout.outputs.markdown_tree import GFM, INLINE, covers, node_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyromark import Options

    from pytest_llmout.outputs.markdown_tree import Span

_SIGN = re.compile(rb"://|www\.", re.IGNORECASE)
_START = re.compile(
    rb"(?:(?<![a-z])(?:https?|ftp)://|(?<![^\s*_~(])(?=www\.[\w\-\x80-\xff]))(?P<host>[\w.\-\x80-\xff]+)",
    re.IGNORECASE,
)
_END = re.compile(rb"[\s<]|\Z")
_ENTITY_AT_END = re.compile(rb"&[0-9a-z]{1,31};\Z", re.IGNORECASE)
_LONGEST_ENTITY = 33
_TRAILING = b"?!.,:;*_~'\""


def bare_urls(text: str, *, dialect: Options = GFM) -> list[Span]:
    """Return the byte ranges of the bare URLs in a text, in order; `dialect` says which syntax may hide them."""
    data = text.encode()
    if not _SIGN.search(data):
        return []
    return [url for content, texts in _contents(text, dialect) for url in _urls(data, content, texts)]


def _contents(text: str, dialect: Options) -> Iterator[tuple[Span, list[Span]]]:
    """Yield where the content of each block stands, and its text: no code, HTML, mathematics, link or image."""
    texts: list[Span] = []
    start = end = links = 0
    is_first, is_code = True, False
    for event, where in pyromark.events_with_range(text, options=dialect, merge_text=True):
        name = node_name(event)
        if name and name not in INLINE:
            if texts and not is_code:
                yield (start, end), texts
            texts, is_first, is_code = [], True, name == "CodeBlock" and "Start" in event
            continue
        start = where["start"] if is_first else start
        is_first, end = False, where["end"]
        if name in ("Link", "Image"):
            links += 1 if "Start" in event else -1
        elif "Text" in event and not links:
            texts.append((where["start"], end))


def _urls(data: bytes, content: Span, texts: list[Span]) -> Iterator[Span]:
    first, past = content
    block = data[first:past]
    done = 0
    for url in _START.finditer(block):
        start = url.start()
        is_text = start >= done and covers(texts, first + start)
        if is_text and b"_" not in b"".join(url["host"].rsplit(b".", 2)[-2:]):
            done = _end_of_url(block, start, _end_of_word(block, url.end()))
            yield first + start, first + done


def _end_of_word(block: bytes, start: int) -> int:
    end = _END.search(block, start)
    return end.start() if end else len(block)


def _end_of_url(block: bytes, start: int, end: int) -> int:
    """Step back over what trails a URL: punctuation, entities, and brackets that it did not open."""
    unopened = block.count(b")", start, end) - block.count(b"(", start, end)
    while end > start:
        last = block[end - 1 : end]
        if entity := _ENTITY_AT_END.search(block, max(start, end - _LONGEST_ENTITY), end):
            end = entity.start()
        elif last == b")" and unopened > 0:
            unopened -= 1
            end -= 1
        elif last in _TRAILING:
            end -= 1
        else:
            break
    return end
