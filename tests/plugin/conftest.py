from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import pytest_llmout.harness.corpus_replies
import pytest_llmout.harness.facade
import pytest_llmout.harness.reports
import pytest_llmout.snapshot  # noqa: F401  what is loaded here, no inner run has to load again
from pytest_llmout.corpus.record import ReplyRecord, load_record

if TYPE_CHECKING:
    from plugin_runs import Calls, Recordings, Run

SCRIPTED_MODEL = """
import json
import pathlib

import pytest


class Scripted:
    name = "scripted"
    replies = iter(())

    def __call__(self, messages, **parameters):
        with pathlib.Path("calls.jsonl").open("a", encoding="utf-8") as calls:
            calls.write(json.dumps([messages, parameters]) + "\\n")
        return next(self.replies)


@pytest.fixture
def llmout_model(request):
    model = Scripted()
    model.replies = iter(request.module.REPLIES)
    return model
"""


@pytest.fixture(params=[(), ("-n", "2")], ids=["one-process", "xdist"])
def run(request: pytest.FixtureRequest, pytester: pytest.Pytester) -> Run:
    """Run pytest on the pytester project, once in this process and once with two workers.

    syrupy is left out: it keeps its session in a global, and the outer run would lose its own.
    """
    workers = request.param

    def run(*arguments: str) -> pytest.RunResult:
        return pytester.runpytest_inprocess("-p", "no:syrupy", "-W", "error", "--strict-markers", *workers, *arguments)

    return run


@pytest.fixture
def scripted(pytester: pytest.Pytester) -> Calls:
    """Give the project a model that says the REPLIES of the test module; the result tells what it was asked."""
    pytester.makeconftest(SCRIPTED_MODEL)
    path = pytester.path / "calls.jsonl"

    def calls() -> list[tuple[list[dict[str, str]], dict[str, object]]]:
        lines = path.read_text(encoding="utf-8").split("\n") if path.exists() else []
        return [tuple(json.loads(line)) for line in lines if line]

    return calls


@pytest.fixture
def recordings(pytester: pytest.Pytester) -> Recordings:
    """Tell what is recorded, by file."""

    def recordings() -> dict[str, list[ReplyRecord]]:
        files = sorted((pytester.path / "__recordings__").rglob("*.jsonl"))
        return {file.name: [load_record(line) for line in file.read_bytes().split(b"\n") if line] for file in files}

    return recordings
