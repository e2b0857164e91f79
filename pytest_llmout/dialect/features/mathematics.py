"""Mathematics, by its delimiters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_llmout.dialect.feature import feature

if TYPE_CHECKING:
    from pytest_llmout.dialect.reply import Reply


def _escaped(reply: Reply, opening: bytes) -> int:
    source = reply.source
    if b"\\" not in source:
        return 0
    starts = (start for _, start, _ in reply.nodes["Text"])
    return sum(1 for start in starts if start and source.startswith(opening, start - 1))


@feature(
    says="writes formulas as $x$",
    unit="formulas",
    kind="InlineMath",
    examples={"$a$ and $b$": 2, "$$a$$": 0, "$5 or $6": 0, "`$a$`": 0},
)
def math_dollar(reply: Reply) -> int:
    """Formulas between single dollars."""
    return len(reply.nodes["InlineMath"])


@feature(says="writes formulas as $$x$$", unit="formulas", kind="DisplayMath", examples={"$$a$$": 1, "$a$": 0})
def math_double_dollar(reply: Reply) -> int:
    """Formulas between double dollars."""
    return len(reply.nodes["DisplayMath"])


@feature(says=r"writes formulas as \(x\)", unit="formulas", examples={r"\(a\)": 1, "(a)": 0, r"`\(a\)`": 0})
def math_paren(reply: Reply) -> int:
    r"""Formulas that open with `\(`, which a Markdown parser reads as an escaped parenthesis."""
    return _escaped(reply, rb"\(")


@feature(says=r"writes formulas as \[x\]", unit="formulas", examples={r"\[a\]": 1, "[a]": 0})
def math_bracket(reply: Reply) -> int:
    r"""Formulas that open with `\[`, which a Markdown parser reads as an escaped bracket."""
    return _escaped(reply, rb"\[")
