from __future__ import annotations

from typing import Any

import pytest
from json_case_schemas import MODELS
from jsonl_cases import read_cases

from pytest_llmout import Failure, Ok, json_output

CASES = read_cases("json_extraction.jsonl")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_extraction_case(case: dict[str, Any]) -> None:
    match json_output(MODELS[case["model"]], extract=case["extract"]).parse(case["raw"]):
        case Ok(_, canonical, _, notes):
            assert (canonical, list(notes)) == (case.get("canonical"), case.get("notes"))
        case Failure(_, observed, reason):
            assert reason == case.get("reason")
            assert observed == case.get("observed", observed)


@pytest.mark.parametrize("note", ["bom", "fence", "lead_in", "trailing_remark", "several_values", "duplicate_keys"])
def test_every_note_has_a_case(note: str) -> None:
    assert any(note in case.get("notes", []) for case in CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_wider_policy_accepts_no_less(case: dict[str, Any]) -> None:
    outcomes = [json_output(MODELS[case["model"]], extract=policy).parse(case["raw"]) for policy in ("none", "fence")]
    outcomes.append(json_output(MODELS[case["model"]], extract="embedded").parse(case["raw"]))
    accepted = [outcome.canonical for outcome in outcomes if isinstance(outcome, Ok)]
    assert [isinstance(outcome, Ok) for outcome in outcomes] == [False] * (3 - len(accepted)) + [True] * len(accepted)
    assert len(set(accepted)) <= 1


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_nothing_is_chosen_in_silence(case: dict[str, Any]) -> None:
    outcome = json_output(Any, extract="embedded").parse(case["raw"])
    is_whole = isinstance(json_output(Any, extract="none").parse(case["raw"].removeprefix("\ufeff")), Ok)
    assert is_whole or isinstance(outcome, Failure) or outcome.notes
