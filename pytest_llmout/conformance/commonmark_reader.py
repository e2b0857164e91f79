"""How `commonmark`, a port of the reference implementation of CommonMark 0.29, reads a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonmark import Parser

from pytest_llmout.conformance.reading import CLOSE, EMPHASIS, IMAGE, LINK, OPEN, STRONG, Leaf, Reading

if TYPE_CHECKING:
    from commonmark.node import Node

_SPANS = {"emph": EMPHASIS, "strong": STRONG, "link": LINK, "image": IMAGE}
_ATOMS = {"code": "code", "html_inline": "html", "softbreak": "break", "linebreak": "hard_break"}
_BLOCK_ATOMS = {"code_block": "code_block", "html_block": "html_block", "thematic_break": "rule"}


def read_commonmark(text: str) -> Reading:
    """Parse a text without lone surrogates."""
    leaves = [Leaf()]
    for node, entering in Parser().parse(text).walker():
        kind, what = node.t, OPEN if entering else CLOSE
        if kind in _SPANS:
            leaves[-1].events.append((what, _SPANS[kind], (node.destination, node.title)))
        elif kind == "text":
            leaves[-1].add_text(node.literal or "")
        elif kind in _ATOMS:
            leaves[-1].events.append((_ATOMS[kind], node.literal or "", None))
        elif kind in _BLOCK_ATOMS:
            leaves.append(Leaf([(_BLOCK_ATOMS[kind], node.literal or "", node.info)]))
        elif kind != "document":
            leaves.append(Leaf([(what, kind, _attributes(node))]))
    return Reading(leaves)


def _attributes(node: Node) -> object:
    data = node.list_data
    return (node.level, data.get("type"), data.get("start"), data.get("delimiter"))
