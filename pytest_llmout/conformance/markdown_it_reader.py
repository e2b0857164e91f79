"""How markdown-it-py reads a text: as CommonMark 0.31, or with what chat surfaces add to it."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt
from markdown_it.rules_inline import emphasis
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

from pytest_llmout.conformance.reading import CLOSE, EMPHASIS, IMAGE, LINK, OPEN, STRONG, Leaf, Reading

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

_NAMES = {"em": EMPHASIS, "strong": STRONG, "s": "strikethrough", "a": LINK}
_ATOMS = {
    "code_inline": "code",
    "html_inline": "html",
    "softbreak": "break",
    "hardbreak": "hard_break",
}
_BLOCK_ATOMS = {"fence": "code_block", "code_block": "code_block", "html_block": "html_block", "hr": "rule"}
_LINE_END = re.compile(r"\r\n?|\n")
_DEEPEST = 1000


def read_markdown_it(text: str) -> Reading:
    """Parse a text without lone surrogates as CommonMark."""
    return _read(_commonmark(), text)


def read_gfm(text: str) -> Reading:
    """Parse a text without lone surrogates as CommonMark with tables, strikethrough, footnotes, task lists and math."""
    return _read(_gfm(), text)


@cache
def _commonmark() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": _DEEPEST})
    parser.inline.ruler.at("emphasis", _located_emphasis)
    return parser


@cache
def _gfm() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": _DEEPEST}).enable(["table", "strikethrough"])
    parser.inline.ruler.at("emphasis", _located_emphasis)
    parser.use(footnote_plugin, inline=False, move_to_end=False)
    parser.use(dollarmath_plugin, allow_labels=False, allow_space=False, double_inline=True)
    return parser


def _located_emphasis(state: StateInline, silent: bool) -> bool:  # noqa: FBT001  the parser's own signature
    """Tokenise a delimiter run, noting where each delimiter stands; the parser makes one token of each."""
    start = state.pos
    is_run = emphasis.tokenize(state, silent)
    for offset in range(state.pos - start if is_run else 0):
        state.tokens[offset - (state.pos - start)].meta["place"] = start + offset
    return is_run


def _read(parser: MarkdownIt, text: str) -> Reading:
    lines = _Lines(text)
    leaves = [Leaf()]
    for token in parser.parse(text):
        if token.type == "inline":
            leaves[-1].source, leaves[-1].places = token.content, lines.places(token)
            _read_inline(leaves[-1], token.children or [], leaves[-1].places)
        elif token.type in _BLOCK_ATOMS:
            leaves.append(Leaf([(_BLOCK_ATOMS[token.type], token.content, token.info)]))
        else:
            leaves.append(
                Leaf([(_what(token), token.type, (token.tag, token.content, str(token.attrs), token.hidden))])
            )
    return Reading(leaves)


def _read_inline(leaf: Leaf, tokens: Sequence[Token], places: Sequence[int]) -> None:
    for token in tokens:
        if token.type in ("text", "text_special"):
            leaf.add_text(token.content)
        elif token.type in _ATOMS:
            leaf.events.append((_ATOMS[token.type], token.content, None))
        elif token.type == "image":
            leaf.events.append((OPEN, IMAGE, _target(token)))
            _read_inline(leaf, token.children or [], ())
            leaf.events.append((CLOSE, IMAGE, _target(token)))
        elif token.tag in _NAMES and token.nesting:
            name = _NAMES[token.tag]
            is_emphasis = name in (EMPHASIS, STRONG)
            leaf.events.append((_what(token), name, _place(token, places) if is_emphasis else _target(token)))
        else:
            leaf.events.append((_what(token) or token.type, token.tag or token.content, _target(token)))


def _what(token: Token) -> str:
    return {1: OPEN, 0: token.type, -1: CLOSE}[token.nesting]


def _target(token: Token) -> object:
    return (str(token.attrs), token.content, str(token.meta))


def _place(token: Token, places: Sequence[int]) -> int | None:
    place = token.meta["place"]
    return places[place] if place < len(places) else None


class _Lines:
    """The lines of a text, for finding where a block's inline text stands."""

    def __init__(self, text: str) -> None:
        ends = [(end.start(), end.end()) for end in _LINE_END.finditer(text)]
        starts = [0, *(after for _, after in ends)]
        self._lines = [
            (start, text[start:end]) for start, (end, _) in zip(starts, [*ends, (len(text), 0)], strict=True)
        ]
        self._line, self._column = -1, 0

    def places(self, token: Token) -> list[int]:
        """Return where in the text each character of an inline token stands; empty if that cannot be told."""
        if token.map is None:
            return []
        places: list[int] = []
        for number, content in enumerate(token.content.split("\n"), start=token.map[0]):
            start, line = self._lines[number]
            at = self._find(number, line, content)
            if at is None:
                return []
            places += (start + place for place in at)
            places.append(start + len(line))
        return places

    def _find(self, number: int, line: str, content: str) -> list[int] | None:
        """Find a block's share of a line: its end, or in a table the next cell, where pipes may be escaped."""
        line = line.replace("\0", "\ufffd")
        column = line.rfind(content)
        if number == self._line or column < 0 or line[column + len(content) :].strip(" \t#"):
            return self._find_cell(number, line, content)
        return list(range(column, column + len(content)))

    def _find_cell(self, number: int, line: str, content: str) -> list[int] | None:
        if number != self._line:
            self._line, self._column = number, 0
        pattern = r"\\?\|".join(map(re.escape, content.split("|")))
        found = re.compile(pattern).search(line, self._column)
        if found is None:
            return None
        self._column = found.end()
        return [place for place in range(*found.span()) if line[place : place + 2] != r"\|" or place + 1 == found.end()]
