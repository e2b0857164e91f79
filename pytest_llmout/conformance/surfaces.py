"""Where implementations of the same syntax are known to differ, so that no single one can be held against anybody."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_llmout.conformance.reading import Leaf

# Wider than the rule of any surface: where this finds no URL, none finds one. No Unicode space ends a URL in cmark-gfm.
_PERHAPS_URL = re.compile(r"(?:https?:|ftp:|www\.)[^ \t\r\n<]*[^ \t\r\n<?!.,:;*_~'\"]", re.IGNORECASE)
# Narrower than the rule of any surface: what this matches, each links.
_SURELY_URL = re.compile(r"(?<![^\s(*])https?://[a-z0-9]+(?:\.[a-z0-9]+)+/[a-z0-9/*]*[a-z0-9](?!\S)", re.IGNORECASE)
_NO_PLAIN_TEXT = re.compile(r"[\[<`\\&~$|]")

_PLAIN_STRIKETHROUGH = re.compile(r"(?<![^\s*])~~(?=[\w*])[^~`\\<\[\n]*(?<=[\w*])~~(?![^\s*.,])")
_PLAIN_MATH = re.compile(r"(?<![^\s*])(\$\$?)(?=[\w*])[^$`\\<\[\n]*(?<=[\w*])\1(?![^\s*.,])")
_PLAIN_DISPLAY = re.compile(r"\A\$\$\n\w[^$`\\<\[]*(?<=[\w*])\n\$\$\Z")
_SPACE_TO_SOME = re.compile("[\0\x0b\x1c-\x1f\x85\u2028\u2029]")
_DELIMITER_ROW = re.compile(r"^[ \t>|:\-+*\d.)]*-[ \t|:\-]*$", re.MULTILINE)


def may_differ(leaf: Leaf, text: str) -> bool:
    """Whether two implementations of GFM may read this block of the text differently."""
    source = leaf.source
    return bool(
        "~" in _PLAIN_STRIKETHROUGH.sub("", source)
        or _PLAIN_DISPLAY.sub("", _PLAIN_MATH.sub("", source)).count("$") > 1
        or _SPACE_TO_SOME.search(source)
        or ("|" in source and _DELIMITER_ROW.search(text))
    )


def url_places(leaf: Leaf) -> frozenset[int]:
    """Return the places of the characters of the text that some surface may take for a part of a URL."""
    urls = (leaf.places[found.start() : found.end()] for found in _PERHAPS_URL.finditer(leaf.source))
    return frozenset(chain.from_iterable(urls))


def sure_urls(leaf: Leaf) -> Iterator[Sequence[int]]:
    """Yield, for each bare URL that every surface links, where its characters stand in the text."""
    if leaf.places and not _NO_PLAIN_TEXT.search(leaf.source):
        for found in _SURELY_URL.finditer(leaf.source):
            yield leaf.places[found.start() : found.end()]
