from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_texts import GENERATED, corpus_texts

from pytest_llmout import Failure, FailureKind
from pytest_llmout.boundary.reflection import MAX_FACTS, Fact, Reflection, parse_reflection, record_reflection
from pytest_llmout.boundary.run_record import RunRecord, read_events

if TYPE_CHECKING:
    from pathlib import Path

GOOD = {"text": "Ann leads billing", "audience": "team", "confidence": 0.9}
KEPT = Fact("Ann leads billing", "team", 0.9)

FACTS = [
    pytest.param(GOOD, KEPT, id="good"),
    pytest.param({"text": " a ", "confidence": 1}, Fact("a", "org", 1.0), id="audience defaults"),
    pytest.param({"text": "a", "confidence": 0.6, "audience": None}, Fact("a", "org", 0.6), id="audience is null"),
    pytest.param(GOOD | {"source": "chat"}, KEPT, id="more keys"),
    pytest.param(GOOD | {"text": "password=q7z9x2"}, Fact("password=REDACTED", "team", 0.9), id="a secret"),
    pytest.param(GOOD | {"confidence": 0.59}, None, id="too unsure"),
    pytest.param(GOOD | {"confidence": 1.01}, None, id="surer than sure"),
    pytest.param(GOOD | {"confidence": "0.9"}, None, id="confidence is a text"),
    pytest.param({"text": "a"}, None, id="no confidence"),
    pytest.param(GOOD | {"audience": 7}, None, id="audience is no text"),
    pytest.param(GOOD | {"text": "  "}, None, id="blank"),
    pytest.param({"confidence": 0.9}, None, id="no text"),
    pytest.param("Ann leads billing", None, id="a bare text"),
    pytest.param(None, None, id="null"),
]


@pytest.mark.parametrize(("fact", "kept"), FACTS)
def test_a_bad_fact_is_dropped_alone(fact: object, kept: Fact | None) -> None:
    raw = json.dumps({"facts": [GOOD, fact, GOOD]})
    between = [kept] if kept else []
    assert parse_reflection(raw) == Reflection((KEPT, *between, KEPT), dropped=int(kept is None))


def test_the_first_five_good_facts_are_kept() -> None:
    facts = [{"text": str(number), "confidence": 0.5 + number / 10} for number in range(5)] * 3
    outcome = parse_reflection(json.dumps({"facts": facts}))
    assert isinstance(outcome, Reflection)
    assert [fact.text for fact in outcome.facts] == ["1", "2", "3", "4", "1"]
    assert outcome.dropped == len(facts) - MAX_FACTS


SUMMARIES = [
    pytest.param({"summary": "All went well"}, "All went well", id="a text"),
    pytest.param({"summary": "token: q7z9x2"}, "token: REDACTED", id="a secret"),
    pytest.param({"summary": 7}, None, id="a number"),
    pytest.param({"summary": " "}, None, id="blank"),
    pytest.param({}, None, id="none"),
]


@pytest.mark.parametrize(("fields", "summary"), SUMMARIES)
def test_the_summary_is_optional(fields: dict[str, object], summary: str | None) -> None:
    assert parse_reflection(json.dumps({"facts": []} | fields)) == Reflection((), summary)


def test_an_envelope_in_prose_and_a_fence_is_found() -> None:
    raw = f"Here you are:\n```json\n{json.dumps({'facts': [GOOD]})}\n```\nAnything else?"
    assert parse_reflection(raw) == Reflection((KEPT,))


ENVELOPES = [
    pytest.param("Nothing to remember.", FailureKind.SYNTAX, id="no JSON"),
    pytest.param("", FailureKind.SYNTAX, id="empty"),
    pytest.param("[]", FailureKind.SCHEMA, id="no object"),
    pytest.param('{"summary": "a"}', FailureKind.SCHEMA, id="no facts"),
    pytest.param('{"facts": {}}', FailureKind.SCHEMA, id="facts are no list"),
]


@pytest.mark.parametrize(("raw", "kind"), ENVELOPES)
def test_a_bad_envelope_is_a_value_that_is_logged_and_dropped(
    raw: str, kind: FailureKind, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    outcome = parse_reflection(raw)
    assert isinstance(outcome, Failure)
    assert outcome.kind == kind
    with RunRecord(tmp_path / "run.jsonl") as run:
        record_reflection(run, raw)
    assert list(read_events(tmp_path / "run.jsonl")) == []
    assert caplog.record_tuples == [
        (
            "pytest_llmout.boundary.reflection",
            logging.WARNING,
            f"reflection dropped: {kind} ({outcome.reason}): {outcome.observed}",
        )
    ]


def test_a_good_one_is_recorded(tmp_path: Path) -> None:
    with RunRecord(tmp_path / "run.jsonl") as run:
        record_reflection(run, json.dumps({"facts": [GOOD], "summary": "a"}))
    assert list(read_events(tmp_path / "run.jsonl")) == [
        {"type": "reflection", "facts": [GOOD], "summary": "a", "dropped": 0}
    ]


@given(st.one_of(*GENERATED.values()))
def test_it_is_total(raw: str) -> None:
    assert isinstance(parse_reflection(raw), Failure | Reflection)


def test_it_is_total_on_real_replies() -> None:
    assert all(isinstance(parse_reflection(raw), Failure | Reflection) for raw in corpus_texts()[::4])
