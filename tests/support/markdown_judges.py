"""Markdown parsers that the rule does not use, as judges of whether a canonical form means what its raw text meant."""

from __future__ import annotations

import re
import unicodedata
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import commonmark
from markdown_it import MarkdownIt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from markdown_it.token import Token

_MARKDOWN_IT = MarkdownIt("commonmark")
_GFM = MarkdownIt("commonmark").enable(["table", "strikethrough"])
_EMPHASIS = {"em_open": "Emphasis", "strong_open": "Strong", "+emph": "Emphasis", "+strong": "Strong"}
_PROMOTED = {"em_open": "strong_open", "em_close": "strong_close", "+emph": "+strong", "-emph": "-strong"}


class Node(NamedTuple):
    """The start or the end of a node of a tree, or a node without children."""

    name: str
    content: str = ""
    rest: tuple[object, ...] = ()


def _read_by_commonmark(text: str) -> Iterator[Node]:
    for node, entering in commonmark.Parser().parse(text).walker():
        sign = "" if node.t == "text" else "-+"[entering]
        yield Node(sign + node.t, node.literal or "", (node.destination, node.title, node.info))


def _read_by_markdown_it(text: str) -> Iterator[Node]:
    return _flat(_MARKDOWN_IT.parse(text))


def _read_as_gfm(text: str) -> Iterator[Node]:
    return _flat(_GFM.parse(text))


def _flat(tokens: Iterable[Token]) -> Iterator[Node]:
    for token in tokens:
        if token.type in {"text", "text_special"}:  # the second is an escape or an entity
            yield Node("text", token.content)
        elif token.children:
            yield Node(token.type, rest=tuple(token.attrs.items()) if token.type == "image" else ())
            yield from _flat(token.children)
        else:
            yield Node(token.type, token.content, (*token.attrs.items(), token.info))


JUDGES: dict[str, Callable[[str], Iterator[Node]]] = {
    "commonmark": _read_by_commonmark,
    "markdown-it": _read_by_markdown_it,
    "markdown-it-gfm": _read_as_gfm,
}


def read_by(judge: str, text: str) -> list[Node]:
    """Return the tree that a judge reads, flat, with neighbouring texts as one."""
    nodes: list[Node] = []
    for name, group in groupby(JUDGES[judge](text), key=lambda node: node.name):
        if name != "text":
            nodes += group
        elif content := "".join(node.content for node in group):
            nodes.append(Node(name, content))
    return nodes


def emphasis_read_by(judge: str, text: str) -> list[str]:
    """Return the names of the emphasis and strong nodes in their order."""
    return [_EMPHASIS[node.name] for node in read_by(judge, text) if node.name in _EMPHASIS]


def promotions_read_by(judge: str, raw: str, canonical: str) -> int | None:
    """Return how many emphasis nodes are strong now, or nothing if anything else differs."""
    was, now = read_by(judge, raw), read_by(judge, canonical)
    differences = [(before, after) for before, after in zip(was, now, strict=False) if before != after]
    promoted = all(after == before._replace(name=_PROMOTED.get(before.name, "")) for before, after in differences)
    return sum(before.name in _EMPHASIS for before, _ in differences) if promoted and len(was) == len(now) else None


def without_symbols(text: str) -> str:
    """Put punctuation of the same width in the place of emoji, currency signs and their like.

    CommonMark counts them as punctuation since version 0.31; `commonmark` implements an earlier one.
    """
    return "".join("。" if ord(char) > 127 and unicodedata.category(char)[0] == "S" else char for char in text)


def without_nul(text: str) -> str:
    """Put a letter in the place of NUL, which some parsers replace by a symbol before they read, and some after."""
    return re.sub("\0", "x", text)
