"""The example project that the README walks through, replayed."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from plugin_runs import Recordings

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.fixture(autouse=True)
def _project(pytester: pytest.Pytester) -> None:
    shutil.copytree(
        EXAMPLES, pytester.path, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__", ".*_cache")
    )


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["one-process", "xdist"])
def test_it_passes_and_uses_all_that_is_recorded(pytester: pytest.Pytester, workers: tuple[str, ...]) -> None:
    result = pytester.runpytest_subprocess("-W", "error", "--llmout-strict", *workers)

    result.assert_outcomes(passed=23)
    result.stdout.fnmatch_lines(
        [
            "22 replies, 22 of them replayed",
            "22 accepted at once, 0 after a re-ask, 0 rejected",
            "test_support_desk.py::test_a_complaint_is_heard: 16/20 runs passed (80%, 95% interval 58% to 92%); 60% *",
        ]
    )


def test_a_broken_prompt_is_caught(pytester: pytest.Pytester) -> None:
    prompts = pytester.path / "prompts.toml"
    prompts.write_text(
        prompts.read_text(encoding="utf-8").replace("Oliver wants 12", "Oliver needs 12"), encoding="utf-8"
    )
    result = pytester.runpytest_subprocess("-k", "order")

    result.assert_outcomes(failed=1, deselected=22)
    result.stdout.fnmatch_lines(
        ["E *the messages changed:", "E *-*Oliver·wants·12·cups.", "E *+*Oliver·needs·12·cups."]
    )


def test_the_replies_are_those_of_the_model(recordings: Recordings) -> None:
    models = {record.model.name for records in recordings().values() for record in records}

    assert models == {"SmolLM2-135M-Instruct.Q4_1"}
