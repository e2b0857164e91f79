from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from plugin_runs import Calls, Recordings, Run

KEY = "sk-abcdefghijklmnopqrstuvwxyz"
TEST = f"""
from pytest_llmout.outputs.json_output import json_output

REPLIES = ["your key is {KEY}, Ada", '{{"name": "Ada", "key": "{KEY}"}}']

def test_one(llmout):
    outcome = llmout.ask("I am Ada, my key is {KEY}.", output=json_output(dict[str, str]),
                         parameters={{"user": "Ada", "keys": ["{KEY}"]}})
    assert outcome.value
"""
HOOK = """
def pytest_llmout_redact(config):
    return lambda text: text.replace("Ada", "[name]")
"""
FIXTURE = """
import pytest

@pytest.fixture(scope="session")
def llmout_redact(llmout_redact):
    return lambda text: llmout_redact(text).replace("Ada", "[name]")
"""


@pytest.mark.parametrize("extension", [HOOK, FIXTURE], ids=["hook", "fixture"])
def test_nothing_secret_is_written_and_the_recording_still_replays(
    pytester: pytest.Pytester, run: Run, scripted: Calls, recordings: Recordings, extension: str
) -> None:
    (pytester.path / "conftest.py").write_text((pytester.path / "conftest.py").read_text() + extension)
    pytester.makepyfile(test_one=TEST)
    reports = [
        argument
        for suffix in ("csv", "html", "json", "jsonl", "md", "xml")
        for argument in ("--llmout-report", f"report.{suffix}")
    ]
    run("--llmout-record-mode", "once", *reports).assert_outcomes(passed=1)
    run().assert_outcomes(passed=1)

    (record,) = recordings()["test_one.jsonl"]
    assert record.messages[0].content == "I am [name], my key is REDACTED."
    assert record.attempts[0].raw == "your key is REDACTED, [name]"
    assert record.raw == '{"name": "[name]", "key": "REDACTED"}'
    assert record.parameters == {"user": "[name]", "keys": ["REDACTED"]}
    for path in [*pytester.path.rglob("*.jsonl"), *pytester.path.glob("report.*")]:
        text = path.read_text(encoding="utf-8")
        assert path.name == "calls.jsonl" or not ("Ada" in text or KEY in text), path
    assert scripted()[0][0][0]["content"] == f"I am Ada, my key is {KEY}."
