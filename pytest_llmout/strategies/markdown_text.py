"""Strategies for Markdown: as models write it, and at its worst."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

# Simplest first: that is where examples shrink to.
_DELIMITERS = (
    "*",
    "a",
    " ",
    "b",
    "**",
    ".",
    "\n",
    "_",
    "***",
    "重",
    "「",
    "」",
    "é",
    "🚀",
    "`",
    "[",
    "](/c)",
    "\\",
    "__",
    "!",
    "€",
)
_SYNTAX = (
    *_DELIMITERS, "\n\n", "- ", "> ", "# ", "1. ", "* ", "  ", "    ", "\t", "\r\n", "\r", "|", "|---|---|\n", "~~",
    "$", "$$",
    "```\n", "~~~\n", "``", "<b>", "</b>", "<", ">", "<!--", "-->", "<div>\n", "&amp;", "&", "(", ")", "]",
    "]: /c\n", "[a]",
    "[^1]", "[^1]: ", "---\n", "===\n", "- [ ] ", "https://a.b/c", "<https://a.b>", "www.a.b", '"', "'", "=", "+",
    ":", ",",
    "\u00a0", "\u3000", "\u200b", "\u2028", "\u0085", "\x0b", "\x0c", "\0", "\ufeff", "e\u0301", "👩‍👩‍👧", "א",
    "\ud83d",
)  # fmt: skip
_WORDS = (
    "a", "word", "Note", "two words", "don't", "é", "cafe\u0301", "重点", "「引用」", "핵심", "🚀", "✅", "€5",
    "2 * 3", "x_1", "C++",
    "3.5%", "a/b", "“q”", "(see below)", "e.g.", "ראש", "and", "is", "the", "of", "snake_case", "\\*", "&amp;",
    "100,000",
)  # fmt: skip
_CODE = ("`*a*`", "`x`", "``a ` b``", "`a_b`", "`**`")
_LINKS = (
    "[a](/b)", "[*a*](https://a.b/c_d*e)", "![a *b*](c.png)", "<https://a.b/*c*>", "https://a.b/c",
    "https://a.b/c*d*e",
    "[a][r]", "[*r*]", "www.a.b",
)  # fmt: skip
_INLINE_HTML = ("<br>", "<b>*a*</b>", "<sup>1</sup>", "<!-- *a* -->")
_MATH = ("$x$", "$a*b*c$", "$$a*b$$", "$5")
_FENCES = ("```\n*a*\n```", "```python\nx = a * b * c\n```", "~~~\n*a*\n~~~", "```\n*never closed*")
_HTML_BLOCKS = ("<div>\n*a*\n</div>", "<details>\n<summary>*a*</summary>\n\n*b*\n\n</details>", "<!-- *a*\n\n*b* -->")


def emphasis(*, max_size: int = 24) -> st.SearchStrategy[str]:
    """Return delimiter runs at their worst: asterisks and underscores between letters, spaces and punctuation.

    Args:
        max_size: The most tokens, of one to five characters each.
    """
    return _joined(_DELIMITERS, max_size)


def near_markdown(*, max_size: int = 60) -> st.SearchStrategy[str]:
    """Return fragments of all syntax of Markdown in any order, with every kind of white space and line end.

    Args:
        max_size: The most tokens, of one to ten characters each.
    """
    return _joined(_SYNTAX, max_size)


@st.composite
def markdown_replies(draw: Callable[..., str], *, max_blocks: int = 60) -> str:
    """Draw a text with the structure of a reply: headings, nested lists, quotes, tables, fences, links, HTML, math.

    Half of the texts are short; the rest has up to some thousands of characters. Some have CRLF, some no last newline.

    Args:
        draw: Given by hypothesis.
        max_blocks: The most blocks of a text.
    """
    kinds = draw(st.lists(_BLOCKS, min_size=1, max_size=6))
    order = st.lists(st.sampled_from(kinds), min_size=1, max_size=max_blocks)
    blocks = draw(st.one_of(st.just(kinds), order))
    text = draw(st.sampled_from(["\n\n", "\n"])).join(blocks) + draw(st.sampled_from(["\n", "", "\n\n", "  "]))
    return text.replace("\n", draw(st.sampled_from(["\n", "\n", "\n", "\r\n", "\r"])))


def _joined(tokens: Sequence[str], max_size: int) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(tokens), max_size=max_size).map("".join)


def _phrases() -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(_WORDS), min_size=1, max_size=4).map(" ".join)


def _inlines() -> st.SearchStrategy[str]:
    marked = st.tuples(st.sampled_from(["*", "**", "*", "_", "***", "~~", "__"]), st.one_of(_phrases(), _atoms())).map(
        lambda pair: f"{pair[0]}{pair[1]}{pair[0]}"
    )
    return st.one_of(_phrases(), marked, marked, _atoms(), emphasis(max_size=6))


def _atoms() -> st.SearchStrategy[str]:
    return st.sampled_from((*_CODE, *_LINKS, *_INLINE_HTML, *_MATH, "b[^1]"))


def _lines() -> st.SearchStrategy[str]:
    return st.tuples(
        st.lists(_INLINES, min_size=1, max_size=5), st.sampled_from([" ", " ", "", "\n", ": ", "  \n"])
    ).map(lambda pair: pair[1].join(pair[0]))


def _leaves() -> st.SearchStrategy[str]:
    return st.one_of(
        _lines(),
        st.tuples(st.sampled_from(["# ", "## ", "### "]), _INLINES).map("".join),
        st.tuples(_INLINES, st.sampled_from(["\n===", "\n---"])).map("".join),
        st.lists(st.tuples(_INLINES, _INLINES), min_size=1, max_size=4).map(_table),
        st.sampled_from((*_FENCES, *_HTML_BLOCKS, "---", "***", "[r]: /s", "[*r*]: /s", "$$\na*b*c\n$$")),
        _lines().map("[^1]: {}".format),
        _lines().map("    {}".format),
    )


def _blocks() -> st.SearchStrategy[str]:
    nested = st.one_of(_LEAVES, _containers(_LEAVES))
    return st.one_of(nested, _containers(nested))


def _containers(blocks: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    markers = st.sampled_from(["- ", "* ", "1. ", "+ ", "10) ", "- [ ] ", "> ", "-\t"])
    return st.tuples(markers, st.lists(blocks, min_size=1, max_size=3)).map(lambda pair: _contained(*pair))


def _contained(marker: str, blocks: Sequence[str]) -> str:
    """Put a quote mark before each line of the blocks, or a list marker before each block."""
    if marker == "> ":
        return "\n>\n".join(block.replace("\n", "\n> ") for block in blocks).join(["> ", ""])
    indent = " " * len(marker.removesuffix("[ ] "))
    return "\n".join(marker + block.replace("\n", "\n" + indent) for block in blocks)


def _table(rows: Sequence[tuple[str, str]]) -> str:
    head, *body = [f"| {left} | {right} |".replace("\n", " ") for left, right in rows]
    return "\n".join([head, "|---|:-:|", *body])


# Deferred, or the description of a strategy would grow beyond all bounds.
_INLINES = st.deferred(_inlines)
_LEAVES = st.deferred(_leaves)
_BLOCKS = st.deferred(_blocks)
