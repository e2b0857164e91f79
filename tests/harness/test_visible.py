import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_llmout.harness.visible import cells, visible

SIGNS = {"·": " ", "→": "\t", "␍": "\r", "␤": "\n"}


def read_back(shown: str) -> str:
    return re.sub(
        "⟨U\\+([0-9A-F]+)⟩|[·→␍␤]", lambda found: chr(int(found[1], 16)) if found[1] else SIGNS[found[0]], shown
    )


@given(st.text(st.characters()))
@example("·→␍␤⟨U+0041⟩")
@example("\ud800")
def test_nothing_is_lost(text: str) -> None:
    assert read_back(visible(text)) == text


@given(st.text(st.characters()))
@example("\x85\u2028\u2029\x1c\x00")
def test_is_one_printable_line(text: str) -> None:
    shown = visible(text)

    assert not shown or shown.isprintable()
    assert len(shown.splitlines()) <= 1


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param("a b\tc\r\n", "a·b→c␍␤", id="the-four-signs"),
        pytest.param("a\xa0b\u3000c", "a⟨U+00A0⟩b⟨U+3000⟩c", id="other-spaces"),
        pytest.param("a\x85b\u2028c\x0cd", "a⟨U+0085⟩b⟨U+2028⟩c⟨U+000C⟩d", id="other-line-ends"),
        pytest.param("\ud800", "⟨U+D800⟩", id="lone-surrogate"),
        pytest.param("今日は", "今日は", id="letters-stay"),
    ],
)
def test_signs(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize(("text", "width"), [("abc", 3), ("今日", 4), ("e\u0301", 1), ("", 0)])
def test_cells_are_terminal_columns(text: str, width: int) -> None:
    assert cells(text) == width
