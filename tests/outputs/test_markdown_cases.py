from __future__ import annotations

from typing import Any

import pytest
from jsonl_cases import read_cases

from pytest_llmout import Failure, FailureKind, Ok, markdown_edits, markdown_output


@pytest.mark.parametrize("case", read_cases("markdown.jsonl"), ids=lambda case: case["id"])
def test_markdown_case(case: dict[str, Any]) -> None:
    raw, canonical = case["raw"], case["canonical"]
    notes = () if raw == canonical else ("promoted",)
    assert markdown_output().parse(raw) == Ok(canonical, canonical, changed=raw != canonical, notes=notes)


@pytest.mark.parametrize(
    ("raw", "canonical"),
    {
        "a\r*b*\r\nc": "a\r**b**\r\nc",
        "```\r*a*": "```\r*a*",
        "```\n*a*\r```\r*b*": "```\n*a*\r```\r**b**",
        "<div>\r*a*\r\r*b*": "<div>\r*a*\r\r**b**",
    }.items(),
)
def test_a_lone_carriage_return_ends_a_line(raw: str, canonical: str) -> None:
    outcome = markdown_output().parse(raw)
    assert isinstance(outcome, Ok)
    assert outcome.canonical == canonical


def test_edits_are_in_characters_and_in_order() -> None:
    assert markdown_edits("é *ü* \ud800 *😀a*") == [(2, "*"), (5, "*"), (8, "*"), (12, "*")]


def test_markdown_never_asks_again() -> None:
    output = markdown_output()
    assert (output.name, output.request_hint, output.max_retries) == ("markdown", None, 0)
    assert not output.retryable(Failure(FailureKind.SYNTAX, "(empty reply)", "empty"))
