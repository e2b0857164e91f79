"""One reply as the features see it: parsed in one walk, its nodes sorted by kind."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar, cast

from pyromark import Markdown

from pytest_llmout.outputs.markdown_tree import GFM, encodable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytest_llmout.dialect.judgement import Judgement

MARKUP = "\ufffc"
"""Stands in `Reply.prose` for whatever is not text: a delimiter, code, raw HTML."""

T = TypeVar("T")
Node = tuple[Any, int, int]
"""A block, a span or a leaf: what pyromark says beside its kind (a link's address, a heading's level, the text itself,
or nothing), and where it begins and ends in bytes of `Reply.source`. A plain tuple, since replies hold hundreds."""

_PARSER = Markdown(options=GFM)
_OWN_TEXT = frozenset({"CodeBlock", "Image"})


def parse_events(text: str) -> Iterator[tuple[Any, Any]]:
    """Iterate over the events of a reply with their byte ranges.

    An event is a string, or a dictionary with one key.
    """
    return cast("Iterator[tuple[Any, Any]]", _PARSER.events_with_range(text))


class Reply:
    """A reply and all that is known of it; parsed in one walk (CommonMark with GFM extensions, footnotes and math).

    Args:
        raw: The reply, exactly as written.
        finish_reason: Why the model stopped, if that is known.
        judgement: The verdict on a reply that was asked for as JSON.
    """

    def __init__(self, raw: str, *, finish_reason: str | None = None, judgement: Judgement | None = None) -> None:
        self.raw = raw
        self.finish_reason = finish_reason
        self.judgement = judgement
        text = encodable(raw)
        self.source = text.encode()
        """The bytes the parser read: UTF-8, with U+E000 for a lone surrogate."""
        self.nodes: defaultdict[str, list[Node]] = defaultdict(list)
        """The nodes of each kind, in document order; of text, what stands neither in a code block nor in an image."""
        self.blocks: list[tuple[str, Node]] = []
        """The outermost blocks and their kinds, in document order."""
        self._kept: dict[Callable[[Reply], Any], Any] = {}
        self._first_bytes: dict[str, bytes] = {}
        self._walk(text)

    def _walk(self, text: str) -> None:
        nodes, blocks, add_text = self.nodes, self.blocks, self.nodes["Text"].append
        top_end = own_end = 0
        payload: Any
        for event, span in parse_events(text):
            if "End" in event:
                continue
            start, end = span["start"], span["end"]
            if "Text" in event:
                if start >= own_end:
                    add_text((event["Text"], start, end))
                continue
            # Popping the only key is much cheaper than matching it.
            kind, payload = (event, None) if type(event) is str else event.popitem()
            if kind == "Start":
                kind, payload = (payload, None) if type(payload) is str else payload.popitem()
                if kind in _OWN_TEXT:
                    own_end = end
            node = (payload, start, end)
            nodes[kind].append(node)
            if start >= top_end:
                blocks.append((kind, node))
                top_end = end

    @cached_property
    def text(self) -> str:
        """The characters of `prose` without `MARKUP` and the ends of lines: what is not in here is not in there."""
        return "".join([text for text, _, _ in self.nodes["Text"]])

    @cached_property
    def prose(self) -> str:
        """The text that readers see, without code, HTML and math; `MARKUP` for what was left out within a line."""
        source, pieces, last = self.source, list[str](), 0
        for text, start, end in self.nodes["Text"]:
            if start != last:
                pieces.append(MARKUP if source.find(b"\n", last, start) < 0 else "\n")
            pieces.append(text)
            last = end
        return "".join(pieces)

    def once(self, find: Callable[[Reply], T]) -> T:
        """Return what a function finds in this reply, found once for all the features that share it."""
        if find not in self._kept:
            self._kept[find] = find(self)
        return cast("T", self._kept[find])

    def marked(self, kind: str, marker: bytes) -> int:
        """Count the nodes of one kind whose source begins with a marker of one byte."""
        return self.first_bytes(kind).count(marker)

    def first_bytes(self, kind: str) -> bytes:
        """Return the first byte of each node of one kind: what it was marked with."""
        first = self._first_bytes.get(kind)
        if first is None:
            source = self.source
            first = self._first_bytes[kind] = bytes([source[start] for _, start, _ in self.nodes[kind]])
        return first

    def slice(self, node: Node) -> str:
        """Return the source of a node."""
        _, start, end = node
        return self.source[start:end].decode()
