from __future__ import annotations

from typing import Any

import pytest
from json_case_schemas import MODELS
from jsonl_cases import read_cases

from pytest_llmout import Failure, Ok, json_output


@pytest.mark.parametrize("case", read_cases("json.jsonl"), ids=lambda case: case["id"])
def test_json_case(case: dict[str, Any]) -> None:
    match json_output(MODELS[case["model"]]).parse(case["raw"]):
        case Ok(_, canonical, changed):
            assert ("ok", canonical, changed) == (case["outcome"], case["canonical"], case["changed"])
        case Failure(kind):
            assert (kind, None, None) == (case["outcome"], case["canonical"], case["changed"])
