from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_llmout.corpus.record import Output
from pytest_llmout.dialect.families import FAMILIES, FEATURES
from pytest_llmout.dialect.judgement import judge
from pytest_llmout.dialect.reply import Reply
from pytest_llmout.outputs.markdown_output import canonicalize_markdown

if TYPE_CHECKING:
    from pytest_llmout.dialect.feature import Feature

CONTRACT = Output.model_validate({"type": "json", "schema": {"type": "object", "required": ["a"]}})
EXAMPLES = [
    pytest.param(family, feature, raw, value, id=f"{feature.name}-{number}")
    for family, features in FAMILIES.items()
    for feature in features
    for number, (raw, value) in enumerate(feature.examples.items())
]
MARKDOWN = st.text(
    st.sampled_from([*'*_`~#>-+1.)|[](){}<>!$\\:"= \n\r\tab', "é", "会", "•", "\ud800", "🎉"]), max_size=60
)


@pytest.mark.parametrize(("family", "feature", "raw", "value"), EXAMPLES)
def test_example(family: str, feature: Feature, raw: str, value: int | None) -> None:
    judgement = judge(raw, CONTRACT) if family == "json_reply" else None
    assert feature.measure(Reply(raw, judgement=judgement)) == value


@pytest.mark.parametrize("feature", FEATURES.values(), ids=list(FEATURES))
def test_definition_is_one_sentence_with_a_unit(feature: Feature) -> None:
    assert feature.definition.endswith(".")
    assert feature.unit
    assert re.match(r"(?:[a-z]+s|is) \S", feature.says), "a predicate without its subject"
    assert feature.examples


def test_names_are_unique() -> None:
    assert len(FEATURES) == sum(map(len, FAMILIES.values()))


@settings(max_examples=200)
@given(MARKDOWN)
def test_every_text_is_measured(raw: str) -> None:
    reply = Reply(raw, judgement=judge(raw, CONTRACT))
    for feature in FEATURES.values():
        value = feature.measure(reply)
        assert value is None or value >= 0, feature.name
        assert value in (0, 1, None) or not feature.binary, feature.name
        assert value == 0 or feature.kind is None or feature.kind in reply.nodes, feature.name


@pytest.mark.parametrize(
    ("finish_reason", "value"), [("stop", 0), ("length", 1), ("max_tokens", 1), (None, None)], ids=str
)
def test_truncation_is_told_by_the_finish_reason(finish_reason: str | None, value: int | None) -> None:
    assert FEATURES["truncated"].measure(Reply("a", finish_reason=finish_reason)) == value


def test_emphasis_markers_tell_dialects_apart_that_mean_the_same() -> None:
    single, double = Reply("*x*"), Reply("**x**")
    assert canonicalize_markdown(single.raw) == canonicalize_markdown(double.raw)
    assert FEATURES["emphasis_star"].measure(single) == FEATURES["strong_star"].measure(double) == 1
    assert FEATURES["emphasis_star"].measure(double) == FEATURES["strong_star"].measure(single) == 0
