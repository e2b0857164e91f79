"""One reply as the features see it: parsed in one walk, its nodes sorted by kind."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pyromark import Markdown, Options

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_llmout.dialect.judgement import Judgement

MARKUP = "\ufffc"
"""Stands in `Reply.prose` for whatever is not text: a delimiter, code, raw HTML."""

Node = tuple[Any, int, int]
"""A block, a span or a leaf: what pyromark says beside its kind (a link's address, a heading's level, the text itself,
or nothing), and where it begins and ends in bytes of `Reply.source`. A plain tuple, since replies hold hundreds."""

_GFM = (
    Options.ENABLE_TABLES
    | Options.ENABLE_STRIKETHROUGH
    | Options.ENABLE_FOOTNOTES
    | Options.ENABLE_TASKLISTS
    | Options.ENABLE_MATH
)
_PARSER = Markdown(options=_GFM)
_SURROGATE = re.compile("[\ud800-\udfff]")
_OWN_TEXT = {"CodeBlock": "CodeText", "Image": "ImageText"}


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply and all that is known of it."""

    raw: str
    source: bytes
    """The bytes the parser read: UTF-8, with U+E000 for a lone surrogate."""
    nodes: defaultdict[str, list[Node]]
    """The nodes of each kind, in document order; text within code is `CodeText`, within an image `ImageText`."""
    blocks: list[tuple[str, Node]]
    """The outermost blocks and their kinds, in document order."""
    prose: str
    """The text that readers see, without code, HTML and math; `MARKUP` for what was left out within a line."""
    finish_reason: str | None
    judgement: Judgement | None
    """The verdict on a reply that was asked for as JSON."""

    def marked(self, kind: str, marker: bytes) -> int:
        """Count the nodes of one kind whose source begins with a marker."""
        begins = self.source.startswith
        return len([start for _, start, _ in self.nodes[kind] if begins(marker, start)])

    def slice(self, node: Node) -> str:
        """Return the source of a node."""
        _, start, end = node
        return self.source[start:end].decode()


def read_reply(raw: str, *, finish_reason: str | None = None, judgement: Judgement | None = None) -> Reply:
    """Parse a reply (CommonMark with GFM extensions, footnotes and math) for all features at once."""
    text = raw if raw.isascii() else _SURROGATE.sub("\ue000", raw)
    nodes: defaultdict[str, list[Node]] = defaultdict(list)
    blocks: list[tuple[str, Node]] = []
    top_end = 0
    for kind, node in _walk(text):
        nodes[kind].append(node)
        _, start, end = node
        if start >= top_end:
            blocks.append((kind, node))
            top_end = end
    source = text.encode()
    return Reply(raw, source, nodes, blocks, _prose(source, nodes["Text"]), finish_reason, judgement)


def _walk(text: str) -> Iterator[tuple[str, Node]]:
    text_kind = "Text"
    event: Any  # a string, or a dictionary with one key, which is much cheaper to pop than to match
    for event, span in _PARSER.events_with_range(text):
        if type(event) is str:
            yield event, (None, span["start"], span["end"])
            continue
        kind, payload = event.popitem()
        if kind == "Start":
            kind, payload = (payload, None) if type(payload) is str else payload.popitem()
            text_kind = _OWN_TEXT.get(kind, text_kind)
        elif kind == "Text":
            kind = text_kind
        elif kind == "End":
            if payload in ("CodeBlock", "Image"):
                text_kind = "Text"
            continue
        yield kind, (payload, span["start"], span["end"])


def _prose(source: bytes, texts: list[Node]) -> str:
    pieces: list[str] = []
    last = 0
    for text, start, end in texts:
        if start != last:
            pieces.append("\n" if b"\n" in source[last:start] else MARKUP)
        pieces.append(text)
        last = end
    return "".join(pieces)
