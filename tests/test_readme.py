from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

README = (Path(__file__).parents[1] / "README.md").read_text("utf-8")
MODEL = """
def answer(messages, **parameters):
    return '{"approve": false, "reason": "It never ends."}'
"""


def blocks(language: str) -> Iterator[str]:
    return (block[1] for block in re.finditer(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL))


@pytest.fixture
def recorded(pytester: pytest.Pytester) -> pytest.Pytester:
    """A folder with the README's test and its recording."""
    [test] = (block for block in blocks("python") if "def test_" in block)
    pytester.makepyfile(test_review=test, review_model=MODEL)
    pytester.syspathinsert()
    recording = pytester.runpytest_subprocess("--llmout-record-mode", "once", "--llmout-model", "review_model:answer")
    recording.assert_outcomes(passed=1)
    return pytester


def test_the_first_test_fits_the_screen() -> None:
    [test] = (block for block in blocks("python") if "def test_" in block)
    assert test.count("\n") <= 15


def test_the_first_test_replays(recorded: pytest.Pytester) -> None:
    recorded.runpytest_subprocess().assert_outcomes(passed=1)


def test_the_first_test_catches_an_edited_prompt(recorded: pytest.Pytester) -> None:
    test = recorded.path / "test_review.py"
    test.write_text(test.read_text("utf-8").replace("Review this change", "Look at this change"), "utf-8")
    outcome = recorded.runpytest_subprocess()
    outcome.assert_outcomes(failed=1)
    outcome.stdout.fnmatch_lines(["*recording*"])


@pytest.mark.parametrize("block", [block for block in blocks("python") if "def test_" not in block])
def test_the_examples_run(block: str) -> None:
    exec(compile(block, "README.md", "exec"), {})  # noqa: S102  our own examples


def test_what_it_links_to_is_there() -> None:
    prose = re.sub(r"^```.*?^```$", "", README, flags=re.MULTILINE | re.DOTALL)
    targets = re.findall(r"\]\(([^)#:]+)\)", prose) + re.findall(r"`((?:tests|corpus|reports)/[\w./]*)`", prose)
    checkout = Path(__file__).parents[1]
    assert targets
    assert [target for target in targets if not (checkout / target).exists()] == []
