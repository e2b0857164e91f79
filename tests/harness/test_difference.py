import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_llmout.harness.difference import MAX_LINES, render_difference
from pytest_llmout.harness.sole_difference import normal_form, sole_difference

TEXTS = st.text(st.characters() | st.sampled_from("\n\r ab"))


def shown(before: str, after: str) -> list[str]:
    return render_difference(before, after, before_label="old", after_label="new")


@given(TEXTS, TEXTS)
def test_shows_a_removed_and_an_added_line_or_only_one_of_them(before: str, after: str) -> None:
    if before == after:
        return
    lines = shown(before, after)
    body = lines[lines.index("+ new") + 1 :]

    assert any(line[0] in "-+" for line in body)
    assert all(line.isprintable() for line in lines)
    assert len(lines) <= MAX_LINES


def test_shows_context_both_lines_and_where_they_differ() -> None:
    assert shown("one\ntwo *x* three\nfour\n", "one\ntwo **x** three\nfour\n") == [
        "first difference: line 2, column 6 (character 9 of 23 and 25)",
        "- old",
        "+ new",
        "     1 | one␤",
        "-    2 | two·*x*·three␤",
        "       |     ^ ^",
        "+    2 | two·**x**·three␤",
        "       |     ^  ^",
        "     3 | four␤",
    ]


def test_carets_stand_under_wide_characters() -> None:
    lines = shown("今日は*春*\n", "今日は**春**\n")

    assert lines[3:] == [
        "-    1 | 今日は*春*␤",
        "       |       ^  ^",
        "+    1 | 今日は**春**␤",
        "       |       ^   ^",
    ]


def test_lines_are_split_on_lf_alone() -> None:
    lines = shown("a\x85b\u2028c\x0cd\re", "a\x85b\u2028c\x0cd\rf")

    assert "-    1 | a⟨U+0085⟩b⟨U+2028⟩c⟨U+000C⟩d␍e" in lines


def test_a_missing_text_is_all_added() -> None:
    assert shown("", "a\nb")[3:] == ["+    1 | a␤", "+    2 | b"]


def test_names_a_difference_of_normalisation_alone() -> None:
    lines = shown("café\n", unicodedata.normalize("NFD", "café\n"))

    assert lines[1] == "the texts differ in nothing but Unicode normalisation"
    assert lines[2] == "one is NFC (U+00E9 U+000A …), the other NFD (U+0065 U+0301 U+000A …)"


@pytest.mark.parametrize(
    ("before", "after", "name"),
    [
        pytest.param("é", "e\u0301", "Unicode normalisation", id="nfc-nfd"),
        pytest.param("a\r\nb\r\n", "a\nb\n", "line ends", id="crlf"),
        pytest.param("a\rb", "a\nb", "line ends", id="lone-cr"),
        pytest.param("a\n", "a", "the last line end", id="no-last-line-end"),
        pytest.param("a  \nb", "a\nb", "spaces or tabs at the ends of lines", id="hard-break"),
        pytest.param("a b", "ab", None, id="inner-space"),
        pytest.param("a", "b", None, id="letters"),
        pytest.param("a", "a", None, id="equal"),
    ],
)
def test_sole_difference(before: str, after: str, name: str | None) -> None:
    assert sole_difference(before, after) == name
    assert sole_difference(after, before) == name


@pytest.mark.parametrize(
    ("text", "form"), [("é", "NFC"), ("e\u0301", "NFD"), ("ée\u0301", "neither NFC nor NFD"), ("plain", "NFC")]
)
def test_normal_form(text: str, form: str) -> None:
    assert normal_form(text) == form


MEGABYTE = 1_000_000


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("x" * MEGABYTE + "a", "x" * MEGABYTE + "b", id="one-line"),
        pytest.param("a *b* c\n" * (MEGABYTE // 8), "a **b** c\n" * (MEGABYTE // 8), id="every-line"),
        pytest.param("\n" * MEGABYTE, "x\n" * (MEGABYTE // 2), id="short-lines"),
        pytest.param("", "word " * (MEGABYTE // 5), id="new-text"),
        pytest.param("\x00" * MEGABYTE, "\x01" * MEGABYTE, id="control-characters"),
    ],
)
def test_a_megabyte_is_shown_as_a_window(before: str, after: str) -> None:
    lines = shown(before, after)

    assert len(lines) <= MAX_LINES
    assert sum(map(len, lines)) < 20_000


def test_says_how_much_is_not_shown() -> None:
    assert shown("a\n" * 100, "b\n" * 100)[-1] == "  … 60 more lines are not shown"


def test_the_cost_does_not_grow_with_the_square(steps: Callable[[Callable[[], object]], int]) -> None:
    small = steps(lambda: shown("a\n" * 2_000, "a\n" * 2_000 + "b"))
    large = steps(lambda: shown("a\n" * 20_000, "a\n" * 20_000 + "b"))

    assert large < 20 * small
