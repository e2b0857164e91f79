"""What the rule's result means to parsers that the rule does not use."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest
from markdown_judges import JUDGES, emphasis_read_by, promotions_read_by, without_nul, without_symbols
from markdown_texts import SPECIFICATION_TEXTS, case_texts, corpus_texts, random_dense_text
from slow_reference import encodable, tree

from pytest_llmout import canonicalize_markdown, markdown_edits
from pytest_llmout.outputs.markdown_tree import COMMONMARK

if TYPE_CHECKING:
    from collections.abc import Callable

each_judge = pytest.mark.parametrize("judge", JUDGES)

READ_DIFFERENTLY_SINCE_SYMBOLS_ARE_PUNCTUATION = {
    "emoji-alone": "*🔥*인기 상품",
    "currency-alone": "*€*uro and *£* only",
    "mathematical": "*±*x *y*",
    "promotion-moves": "**(“b 😀*e*<",
}


def _kept(judge: str, text: str) -> bool:
    return promotions_read_by(judge, text, canonicalize_markdown(text)) == len(markdown_edits(text)) // 2


def _read_alike(judge: str, text: str) -> bool:
    names = [
        event["Start"] for event in tree(text, COMMONMARK) if event in ({"Start": "Emphasis"}, {"Start": "Strong"})
    ]
    return emphasis_read_by(judge, text) == names


def _as_judged(judge: str, raw: str) -> str:
    text = without_nul(encodable(raw))
    return without_symbols(text) if judge == "commonmark" else text


@each_judge
@pytest.mark.parametrize(
    "texts", [case_texts, lambda: SPECIFICATION_TEXTS, corpus_texts], ids=["cases", "specification", "corpus"]
)
def test_the_meaning_is_kept(judge: str, texts: Callable[[], list[str]]) -> None:
    judged = [_as_judged(judge, raw) for raw in texts()]
    assert [text for text in judged if not _kept(judge, text)] == []


@each_judge
def test_the_meaning_of_generated_text_is_kept(judge: str) -> None:
    """What a judge reads in raw as nobody else does (a link definition with an open bracket) says nothing."""
    random = Random(31)  # noqa: S311  texts, not secrets
    texts = [_as_judged(judge, random_dense_text(random)) for _ in range(2_500)]
    judged = [text for text in texts if _read_alike(judge, text)]
    assert [text for text in judged if not _kept(judge, text)] == []
    assert len(judged) > 0.97 * len(texts)


@pytest.mark.parametrize(
    "text",
    READ_DIFFERENTLY_SINCE_SYMBOLS_ARE_PUNCTUATION.values(),
    ids=READ_DIFFERENTLY_SINCE_SYMBOLS_ARE_PUNCTUATION,
)
def test_symbols_are_still_read_differently(text: str) -> None:
    assert _read_alike("markdown-it", text)
    assert _kept("markdown-it", text)
    assert not (_read_alike("commonmark", text) and _kept("commonmark", text))
    neutral = without_symbols(text)
    assert _read_alike("commonmark", neutral)
    assert _kept("commonmark", neutral)
