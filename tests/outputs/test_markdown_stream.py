from __future__ import annotations

from random import Random
from statistics import median

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_pieces import cut, lags, streamed
from markdown_texts import GENERATED, SPECIFICATION_TEXTS, case_texts, corpus_texts, random_dense_text

from pytest_llmout import MarkdownStream, canonicalize_markdown

# What follows decides what is inserted in the first line.
DECIDED_LATER = {
    "definition": "*a* [*b*]\n\n[*b*]: /u\n",
    "footnote": "*a* [^*b*]\n\n[^*b*]: c\n",
    "reference-around": "[a *b*][c] d*\n\n[c]: /u\n",
    "together-only": "*a***e*\n\nplain\n",
    "together-no-more": "*a***e*\n\n**b*a*\n",
    "setext": "*a*\n===\n",
    "lazy": "> *a\nb*\n",
    "table": "*a | b*\n---|---\n",
    "code-span": "**a** ` *b*\n`\n",
    "link": "**a** [b **c** d](/u)\n",
    "math": "*a* $b\n*c*$\n",
    "many-places": "".join(f"*{letter}* " for letter in "abcdefghijkl") + "\n\n**b*a*\n",
}


@pytest.mark.parametrize("kind", GENERATED)
@given(data=st.data())
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_the_stream_equals_the_whole_however_it_is_cut(kind: str, data: st.DataObject) -> None:
    text = data.draw(GENERATED[kind])
    places = data.draw(st.lists(st.integers(0, len(text)), max_size=12))
    assert streamed(cut(text, places)) == canonicalize_markdown(text)


@pytest.mark.parametrize("text", DECIDED_LATER.values(), ids=DECIDED_LATER)
def test_what_is_decided_later_is_held(text: str) -> None:
    for size in range(1, len(text) + 1):
        assert streamed(cut(text, range(size, len(text), size))) == canonicalize_markdown(text)


def test_the_stream_equals_the_whole_character_by_character() -> None:
    random = Random(7)  # noqa: S311  texts, not secrets
    generated = [random_dense_text(random) for _ in range(1_000)]
    for text in (*case_texts(), *SPECIFICATION_TEXTS, *generated):
        assert streamed(list(text)) == canonicalize_markdown(text)


def test_the_stream_equals_the_whole_on_the_corpus() -> None:
    for text in corpus_texts():
        assert streamed(cut(text, range(7, len(text), 7))) == canonicalize_markdown(text)


def test_the_stream_equals_the_whole_on_long_text() -> None:
    """The stream drops what it is through with; a block that fails before and one after that point are in here."""
    replies = [text for text in corpus_texts() if "*" in text]
    failing = "**b*a*\n\n*a***e*\n\n"
    for text in (
        "\n\n".join(replies[:60]),
        failing + "* *item* with **bold**\n" * 400 + failing,
        "plain\n\n" * 2_000 + failing,
    ):
        assert streamed(cut(text, range(5, len(text), 5))) == canonicalize_markdown(text)


def test_what_cannot_change_is_given_out_at_once() -> None:
    pieces = ["Plain, then *bold", "* words\n", "\n", "* **Key**", ": value\n* [x](u) 2 * 3", "\n\n", "*open", " end"]
    stream = MarkdownStream()
    assert [stream.feed(piece) for piece in pieces] == [
        "Plain, then ",
        "",
        "**bold** words\n\n",
        "* ",
        "**Key**: value\n* [x](u) 2 ",
        "* 3\n\n",
        "",
        "",
    ]
    assert stream.held == len("*open end")
    assert stream.close() == "*open end"


def test_mostly_nothing_is_held() -> None:
    held = [lag for text in corpus_texts() if "*" in text for lag in lags(text, 4)]
    assert median(held) == 0


def test_an_empty_stream_is_empty_text() -> None:
    assert streamed([]) == ""
