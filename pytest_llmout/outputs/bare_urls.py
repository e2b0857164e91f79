"""Bare URLs: text that GitHub Flavored Markdown links by itself.

The rule is the autolinks extension of the GFM specification (https://github.github.com/gfm/#autolinks-extension-).
Where its two reference programs, cmark-gfm and micromark, agree on more than that text says, so does this module: after
`http://` a host needs no period, before it stands any character but a letter, and a quote ends no URL.
E-mail autolinks are left out: no asterisk can be part of one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_llmout.outputs.markdown_tree import covers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_llmout.outputs.markdown_tree import Leaf, Span

_URL = re.compile(
    rb"(?:(?<![a-z])(?:https?|ftp)://|(?<![^\s*_~(])(?=www\.[\w\-\x80-\xff]))(?P<host>[\w.\-\x80-\xff]+)[^\s<]*",
    re.IGNORECASE,
)
_ENTITY_AT_END = re.compile(rb"&[0-9a-z]{1,31};\Z", re.IGNORECASE)
_LONGEST_ENTITY = 33
_TRAILING = b"?!.,:;*_~'\""


def bare_urls(leaf: Leaf, data: bytes) -> Iterator[Span]:
    """Yield the byte ranges of the bare URLs in a leaf block of the text whose bytes are given."""
    if not leaf.texts:
        return
    first = leaf.texts[0][0]
    block = data[first : leaf.end]
    for url in _URL.finditer(block):
        start = first + url.start()
        if covers(leaf.texts, start) and b"_" not in b"".join(url["host"].rsplit(b".", 2)[-2:]):
            yield start, first + _end_of_url(block, url.start(), url.end())


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
