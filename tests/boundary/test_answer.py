from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_texts import GENERATED, corpus_texts
from seeded_secrets import TOKENS

from pytest_llmout import UsageError, canonicalize_markdown
from pytest_llmout.boundary.answer import CUT_MARK, MAX_BYTES, AnswerEvent, answer_event
from pytest_llmout.boundary.redaction import redact

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    Law = Callable[[str, int], None]

LEAST = 69
TEXTS = st.one_of(*GENERATED.values())
BUDGETS = st.integers(LEAST, 400)


def without_mark(event: AnswerEvent) -> str:
    return event.text.removesuffix(CUT_MARK) if event.cut else event.text


def fits(raw: str, max_bytes: int) -> None:
    event = answer_event(raw, max_bytes=max_bytes)
    assert len(event.dump()) <= max_bytes
    read = json.loads(event.dump())
    assert read.keys() == event.fields().keys()
    assert read["text"].encode("utf-16", "surrogatepass") == event.text.encode("utf-16", "surrogatepass")


def raw_is_accounted_for(raw: str, max_bytes: int) -> None:
    event = answer_event(raw, max_bytes=max_bytes)
    redacted = redact(raw)
    text = without_mark(event)
    assert (event.raw is None) == (event.raw_absent is not None)
    assert (event.raw_absent == "unchanged") == redacted.startswith(text)
    if event.raw is not None:
        assert event.raw == redacted
        assert not event.cut
    if event.raw_absent == "over_budget":
        whole = AnswerEvent(canonicalize_markdown(redacted), raw=redacted)
        assert len(whole.dump()) > max_bytes


def text_is_canonical(raw: str, max_bytes: int) -> None:
    event = answer_event(raw, max_bytes=max_bytes)
    assert canonicalize_markdown(event.text) == event.text
    redacted = redact(raw)
    if event.cut:
        assert redacted.replace("*", "").startswith(without_mark(event).replace("*", ""))
    else:
        assert event.text == canonicalize_markdown(redacted)


def only_what_does_not_fit_is_cut(raw: str, max_bytes: int) -> None:
    whole = AnswerEvent(canonicalize_markdown(redact(raw)), raw_absent="unchanged")
    if len(whole.dump()) <= max_bytes - len("over_budget"):
        assert not answer_event(raw, max_bytes=max_bytes).cut


LAWS = [fits, raw_is_accounted_for, text_is_canonical, only_what_does_not_fit_is_cut]
by_law = pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)


@by_law
@given(raw=TEXTS, max_bytes=BUDGETS)
def test_on_generated_text(law: Law, raw: str, max_bytes: int) -> None:
    law(raw, max_bytes)


@pytest.mark.parametrize("max_bytes", [LEAST, 300, MAX_BYTES])
@by_law
def test_on_real_replies(law: Law, max_bytes: int) -> None:
    for raw in corpus_texts()[::4]:
        law(raw, max_bytes)


@given(
    raw=TEXTS, secret=st.sampled_from(sorted(TOKENS)), random=st.randoms(use_true_random=False), cut=st.integers(0, 90)
)
def test_a_secret_at_the_cut_is_not_split(raw: str, secret: str, random: Random, cut: int) -> None:
    token = TOKENS[secret](random)
    event = answer_event(f"{raw} {token}", max_bytes=LEAST + cut)
    assert token[:12] not in event.text + (event.raw or "")


def test_redaction_sees_the_reply_before_anything_else() -> None:
    seen: list[str] = []

    def spy(text: str) -> str:
        seen.append(text)
        return text.replace("Ann", "X")

    assert answer_event("*Ann* says", redact=spy) == AnswerEvent("**X** says", raw="*X* says")
    assert seen == ["*Ann* says"]


CUTS = [
    pytest.param("e\u0301" * 50, id="combining mark"),
    pytest.param("👩\u200d🚀" * 30, id="joined emoji"),
    pytest.param("\r\n" * 60, id="line end"),
]


@pytest.mark.parametrize("raw", CUTS)
@pytest.mark.parametrize("more", range(8))
def test_a_cut_tears_nothing_apart(raw: str, more: int) -> None:
    event = answer_event(raw, max_bytes=LEAST + 20 + more)
    assert event.cut
    unit = raw[: raw.index(raw[0], 1)]
    assert len(without_mark(event)) % len(unit) == 0


def test_a_fragment_is_canonical_for_itself() -> None:
    raw = "**a *b* c " + "x" * 200 + "**"
    assert answer_event(raw, max_bytes=120).text.startswith("**a **b** c xx")


def test_a_budget_that_holds_no_event_is_refused() -> None:
    assert answer_event("a" * 99, max_bytes=LEAST).text == CUT_MARK
    with pytest.raises(UsageError, match=f"max_bytes={LEAST - 1} holds no event: give at least {LEAST}"):
        answer_event("a", max_bytes=LEAST - 1)


def test_a_long_reply_is_cut_to_the_budget() -> None:
    event = answer_event("word *word* " * 40_000)
    assert event.cut
    assert MAX_BYTES * 0.9 < len(event.dump()) <= MAX_BYTES
