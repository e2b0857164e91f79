from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pyromark
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_texts import GENERATED, SPECIFICATION_TEXTS, corpus_texts
from seeded_secrets import TOKENS, look_alikes, seeded_secrets

from pytest_llmout import canonicalize_markdown
from pytest_llmout.boundary.redaction import MASK, redact
from pytest_llmout.boundary.secret_shapes import SHAPES
from pytest_llmout.outputs.markdown_tree import COMMONMARK, GFM

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from pyromark import Options


def leaks(secret: str, text: str) -> bool:
    """Whether a part of the secret that is longer than what chance makes can still be read."""
    return any(part in text for part in re.split(r"[^A-Za-z0-9]", secret) if len(part) > 3)


def shape(text: str, dialect: Options) -> Iterator[object]:
    """Yield the tree of a text without its words, addresses and labels."""
    for event in pyromark.events(text.encode("utf-8", "replace").decode(), options=dialect, merge_text=True):
        match event:
            case {"Start": dict(tag)}:
                yield "Start", *tag
            case {"Start": tag}:
                yield "Start", tag
            case {"Text": _} | {"Code": _} | {"InlineHtml": _} | {"Html": _} | {"InlineMath": _} | {"DisplayMath": _}:
                yield from event
            case {"FootnoteReference": _}:
                yield "FootnoteReference"
            case {"End": _} | str() | {"TaskListMarker": _}:
                yield event
            case other:
                raise AssertionError(other)


def test_seeded_secrets_are_masked(capsys: pytest.CaptureFixture[str]) -> None:
    seeded = list(seeded_secrets())
    missed = [secret for secret in seeded if leaks(secret.secret, redact(secret.text))]
    with capsys.disabled():
        print(f"\nredact: {len(seeded) - len(missed)} of {len(seeded)} seeded secrets masked")  # noqa: T201  asked for
    assert not missed


def test_look_alikes_pass(capsys: pytest.CaptureFixture[str]) -> None:
    texts = list(look_alikes())
    masked = [text for text in texts if redact(text) != text]
    with capsys.disabled():
        print(f"\nredact: {len(masked)} of {len(texts)} look-alikes masked")  # noqa: T201  asked for
    assert not masked


@pytest.mark.parametrize(
    "text",
    [
        "password: hunterhunter",
        "database:\n  password: correcthorse\n  port: 5432",
        "DB_PASSWORD=correcthorse\n",
        "export PASSWD=correcthorse",
        "- **Password:** hunterhunter\r\n",
        '{"password": "abcdefgh"}',
    ],
)
def test_a_word_is_masked_where_it_can_only_be_a_password(text: str) -> None:
    assert MASK in redact(text)
    assert redact(redact(text)) == redact(text)


@given(st.data())
@settings(max_examples=200, deadline=None)
def test_no_shape_is_passed_over_for_want_of_a_hint(data: st.DataObject) -> None:
    tokens = [one for one in SHAPES if one.name.startswith("token: ")]
    shape = data.draw(st.sampled_from(tokens), label="shape")
    text = data.draw(st.from_regex(shape.pattern))
    assert any(hint in text.lower() for hint in shape.hints)


def test_of_the_real_replies_only_the_one_with_a_password_is_masked() -> None:
    assert [text.count('PASSWORD = "hunter2"') for text in corpus_texts() if redact(text) != text] == [1]


@st.composite
def texts_with_secrets(draw: st.DrawFn) -> str:
    """Put tokens and assignments between the pieces of a generated text."""
    source: Random = draw(st.randoms(use_true_random=False))
    pieces = draw(st.lists(st.sampled_from(list(GENERATED.values())).flatmap(lambda texts: texts), max_size=3))
    between = [
        st.sampled_from(sorted(TOKENS)).map(lambda kind: TOKENS[kind](source)),
        st.sampled_from(["password=a*b_7c", "token: 'q7_-x*9'", "*secret*: `q7z_9`", "x://u:p*4_@h"]),
    ]
    return "".join(
        piece + draw(st.one_of(between)) + draw(st.sampled_from(["", " ", "_", "*", "\n"])) for piece in pieces
    )


@given(texts_with_secrets())
def test_the_tree_is_kept(text: str) -> None:
    for dialect in (COMMONMARK, GFM):
        assert list(shape(redact(text), dialect)) == list(shape(text, dialect))


@pytest.mark.parametrize("dialect", [COMMONMARK, GFM], ids=["commonmark", "gfm"])
def test_the_tree_of_every_seeded_text_is_kept(dialect: Options) -> None:
    for seeded in seeded_secrets(rounds=1):
        assert list(shape(redact(seeded.text), dialect)) == list(shape(seeded.text, dialect)), seeded.kind


@given(texts_with_secrets())
def test_a_second_redaction_changes_nothing(text: str) -> None:
    assert redact(redact(text)) == redact(text)


@given(texts_with_secrets())
def test_canonicalising_brings_no_secret_to_light(text: str) -> None:
    canonical = canonicalize_markdown(redact(text))
    assert redact(canonical) == canonical


@pytest.mark.parametrize("text", SPECIFICATION_TEXTS)
def test_texts_without_secrets_are_kept(text: str) -> None:
    assert redact(text) == text


def test_a_credential_cut_off_by_the_end_of_the_reply_is_masked() -> None:
    assert redact("Use ghp_" + "a1" * 18) == f"Use {MASK}"
    assert redact("-----BEGIN PRIVATE KEY-----\n" + "A" * 64 + "\nBB") == f"-----BEGIN PRIVATE KEY-----\n{MASK}\n{MASK}"


CASES = [
    pytest.param("the `key=sk-` prefix", "the `key=sk-` prefix", id="a prefix is no token"),
    pytest.param("_ghp_" + "a" * 36 + "_", f"_{MASK}_", id="emphasis around a token stays"),
    pytest.param("password=`a*b7*c9`", f"password=`{MASK}*{MASK}*{MASK}`", id="delimiters inside stay"),
    pytest.param("Basic dXNlcjpwYXNz", f"Basic {MASK}", id="basic credentials"),
    pytest.param(
        "Cookie: a=b1c2; theme=dark\nok", f"Cookie: a={MASK}; theme={MASK}\nok", id="every cookie, and its line only"
    ),
    pytest.param(
        'Authorization: Digest username="me", realm="a", response="6629fae49393a05397450978507c4ef1"',
        f'Authorization: Digest username="me", realm="a", response="{MASK}"',
        id="fields of a header",
    ),
    pytest.param("https://me:p%40ss@a.b/c", f"https://me:{MASK}@a.b/c", id="password in a URL"),
    pytest.param("x://me:p@ss7@host/a", f"x://me:{MASK}@host/a", id="an at sign in the password"),
    pytest.param("api_key: api_key=q7z9x2", f"api_key: {MASK}", id="a name after a name"),
]


@pytest.mark.parametrize(("text", "redacted"), CASES)
def test_cases(text: str, redacted: str) -> None:
    assert redact(text) == redacted
