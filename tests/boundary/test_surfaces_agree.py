"""Surfaces show the same words bold, italic, struck, as code and as links."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from markdown_texts import GENERATED, SPECIFICATION_TEXTS, case_texts, corpus_texts

pytest.importorskip("cmarkgfm", reason="surfaces need the extra [surfaces]")

from pytest_llmout import UsageError, canonicalize_markdown
from pytest_llmout.boundary.surfaces.agreement import SURFACES, Surface, assert_surfaces_agree, disagreements
from pytest_llmout.boundary.surfaces.slack import slack
from pytest_llmout.boundary.surfaces.styles import Run, Style

LEFT_AS_WRITTEN = {"nested", "not provable"}
NOT_OURS = {"parsers differ"}
"""GitHub's parser is of CommonMark 0.29, where symbols are no punctuation, and reads some delimiter runs by itself."""

AGREED = {
    "nothing": "",
    "looks": "**a** _b_ ~~c~~ `d` [e](https://x.test)",
    "blocks": "# a\n\n> b\n\n3. c\n   - d\n4. e\n\n---\n\n|f|g|\n|-|-|\n|h|**i**|\n\n```\nj < k\n```",
    "literal-marks": r"2 * 3, a_b, \*c\*, \_d\_, ** e **, __init__.py, `__init__`, \* f",
    "marks-in-bold": r"**5 \* 6** and **\* foot** and **a_b**",
    "links": "[**a** b](https://x.test/*) **[c*d](https://x.test/a_b*c)** [r](r.md)",
    "bare-links": "<https://x.test> https://x.test www.x.test [www.x.test](https://x.test)",
    "html": "use <b>a</b> and\n\n<div>\n  *c*\n</div>",
    "image": "**a** ![a *b* `c` [d](https://x.test)](https://x.test/i.png) _![e](f)_",
    "half-characters": "**half\ud83d**s",
    "controls": "**a\x00b** \x1b[31mc",
}
DISAGREED = {
    "asterisk": ("*a* b", ["'a': slack bold, github italic, page italic, memory italic (not provable)"]),
    "nested": (
        "*a **b** c*",
        [
            "'a': slack bold, github italic, page italic, memory italic (nested)",
            "'b': slack bold, github bold+italic, page bold+italic, memory bold+italic (nested)",
            "'c': slack bold, github italic, page italic, memory italic (nested)",
        ],
    ),
}


def at_most_what_was_left_as_written(raw: str) -> None:
    reasons = {each.reason for each in disagreements(canonicalize_markdown(raw))}
    assert reasons <= LEFT_AS_WRITTEN | NOT_OURS


@pytest.mark.parametrize("kind", GENERATED)
def test_canonical_text_on_generated_replies(kind: str) -> None:
    @given(raw=GENERATED[kind])
    @settings(deadline=None)
    def hold(raw: str) -> None:
        at_most_what_was_left_as_written(raw)

    hold()


@pytest.mark.parametrize("texts", [case_texts(), SPECIFICATION_TEXTS], ids=["cases", "specification"])
def test_canonical_text_on_tables(texts: list[str]) -> None:
    for raw in texts:
        at_most_what_was_left_as_written(raw)


def test_canonical_text_on_the_corpus() -> None:
    reasons = [each.reason for raw in corpus_texts() for each in disagreements(canonicalize_markdown(raw))]
    assert set(reasons) <= LEFT_AS_WRITTEN


def test_canonicalising_settles_most_of_the_corpus() -> None:
    as_written = {raw for raw in corpus_texts() if "*" in raw and disagreements(raw)}
    left = {raw for raw in as_written if disagreements(canonicalize_markdown(raw))}
    assert len(left) < len(as_written) / 10


@pytest.mark.parametrize("text", AGREED.values(), ids=AGREED)
def test_surfaces_agree(text: str) -> None:
    assert_surfaces_agree(text)


@pytest.mark.parametrize(("text", "expected"), DISAGREED.values(), ids=DISAGREED)
def test_surfaces_disagree(text: str, expected: list[str]) -> None:
    assert [str(each) for each in disagreements(text)] == expected
    with pytest.raises(AssertionError, match=f"surfaces disagree in {len(expected)} place") as raised:
        assert_surfaces_agree(text)
    assert all(line in str(raised.value) for line in expected)


def test_the_message_names_ten_places_at_most() -> None:
    with pytest.raises(AssertionError, match="… and 2 more\npublish the canonical form"):
        assert_surfaces_agree("*a* b " * 12)


def test_a_surface_that_loses_words_is_at_fault() -> None:
    lossy = Surface(lambda text: text.replace("tea", ""), lambda text: [Run(text)])
    with pytest.raises(AssertionError, match=r"'tea / ': not on every surface \(surfaces differ\)"):
        assert_surfaces_agree("hot tea", {**SURFACES, "lossy": lossy})


def test_a_surface_that_loses_a_look_is_at_fault() -> None:
    plain = Surface(lambda text: text, lambda text: [Run(text.replace("*", ""))])
    found = disagreements("**hot** tea", {**SURFACES, "plain": plain})
    assert [(each.words, each.reason) for each in found] == [("hot", "surfaces differ")]
    assert found[0].looks["plain"] == frozenset()


def test_a_fault_inside_an_emphasis_left_as_written_is_still_a_fault() -> None:
    plain = Surface(lambda text: text, lambda text: [Run(text.replace("*", ""))])
    struck = Surface(lambda text: text, lambda text: [Run(text.replace("*", ""), frozenset({Style.STRUCK}))])
    found = disagreements("*tea **b** c*", {"plain": plain, "struck": struck})
    assert {each.reason for each in found} == {"surfaces differ"}


def test_surfaces_that_show_more_than_the_text() -> None:
    plain = Surface(lambda text: text, lambda text: [Run(f"{text} and more")])
    bold = Surface(lambda text: text, lambda text: [Run(text), Run(" and more", frozenset({Style.BOLD}))])
    found = disagreements("tea", {"plain": plain, "bold": bold})
    assert [(each.words, each.reason) for each in found] == [("and more", "surfaces differ")]


def test_one_surface_cannot_disagree() -> None:
    with pytest.raises(UsageError, match="two or more; given: slack"):
        disagreements("a", {"slack": Surface(slack, lambda text: [Run(text)])})
