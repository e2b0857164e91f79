from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from fake_models import Gauge
from sample_records import sample_record

from pytest_llmout.corpus.models import AskableModel, load_model
from pytest_llmout.corpus.prompts import PromptFile
from pytest_llmout.corpus.record import dump_record
from pytest_llmout.corpus.recorder import RecordingOptions, plan, record_replies
from pytest_llmout.corpus.store import read_records
from pytest_llmout.corpus.writer import RecordWriter
from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_llmout.corpus.record import ReplyRecord

PROMPTS = PromptFile.model_validate(
    {
        "hints": {"json": "JSON only."},
        "configurations": [
            {"name": "base", "parameters": {"seed": 100, "temperature": 0}},
            {"name": "hint", "hint": True},
        ],
        "prompts": [
            {"id": "a", "family": "first", "prompt": "a", "output": "json", "schema": {"type": "object"}},
            {"id": "b", "prompt": "b"},
            {"id": "c", "prompt": "c"},
        ],
    }
)
ECHO = load_model("fake_models:echo")
FAILS_ON_B = load_model("fake_models:fails_on_b")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.jsonl"


def record(path: Path, model: AskableModel = ECHO, *, samples: int = 2, concurrency: int = 1) -> list[ReplyRecord]:
    questions = plan(PROMPTS, model, samples=samples)
    assert (
        record_replies(questions, model, path, options=RecordingOptions(concurrency=concurrency, licence="MIT")) == []
    )
    return list(read_records(path))


def facts(records: list[ReplyRecord]) -> list[dict[str, object]]:
    return [record.model_dump(exclude={"time"}) for record in records]


def test_a_record_holds_what_is_needed_to_ask_again(path: Path) -> None:
    before = datetime.now(UTC)
    first, second, *_ = record(path, load_model("fake_models:detailed"))
    assert first.time is not None
    assert before <= first.time <= datetime.now(UTC)
    assert first.model_dump(by_alias=True, exclude={"time", "sha256", "messages"}) == {
        "version": 1,
        "id": "fake_models:detailed/base/a/0",
        "prompt_id": "a",
        "sample": 0,
        "family": "first",
        "configuration": "base",
        "model": {"name": "served-2024", "requested": "fake_models:detailed", "revision": "r1"},
        "parameters": {"seed": 100, "temperature": 0},
        "raw": "x",
        "finish_reason": "length",
        "output": {"type": "json", "schema": {"type": "object"}},
        "attempts": (),
        "source": "llmout record",
        "licence": "MIT",
        "fidelity": "exact",
    }
    assert [message.content for message in first.messages] == ["a"]
    assert (second.sample, second.parameters["seed"]) == (1, 101)


def test_what_the_model_is_asked_is_what_is_stored(path: Path) -> None:
    for reply in record(path):
        assert reply.raw == f"{reply.messages[-1].content} {sorted(reply.parameters.items())}"


@pytest.mark.parametrize("name", ["echo", "echo_async"])
def test_concurrency_changes_no_byte_but_the_time(tmp_path: Path, name: str) -> None:
    model = load_model(f"fake_models:{name}")
    one = record(tmp_path / "one.jsonl", model)
    assert facts(record(tmp_path / "four.jsonl", model, concurrency=4)) == facts(one)
    assert [reply.id for reply in one] == [question.id for question in plan(PROMPTS, model, samples=2)]


@pytest.mark.parametrize(("concurrent", "most"), [(True, 3), (False, 1)])
def test_a_model_is_asked_at_once_only_if_it_may_be(path: Path, *, concurrent: bool, most: int) -> None:
    gauge = Gauge(concurrent=concurrent)
    record(path, AskableModel(name="gauge", call=gauge, concurrent=concurrent), concurrency=3)
    assert gauge.most == most


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for a process alone")
def test_the_reply_under_way_at_an_interrupt_is_kept(path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        record(path, load_model("fake_models:interrupts"))
    assert [reply.raw for reply in read_records(path)] == ["finished all the same"]


@pytest.mark.parametrize("kept", range(13))
def test_a_recording_cut_anywhere_is_completed_with_nothing_twice(path: Path, kept: int) -> None:
    whole = record(path)
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([*lines[:kept], lines[kept][: len(lines[kept]) // 2]]))
    resumed = record(path)
    assert facts(resumed) == facts(whole)
    assert resumed[:kept] == whole[:kept]


def test_more_samples_are_added_to_those_there_are(path: Path) -> None:
    two = record(path, samples=2)
    three = record(path, samples=3)
    assert len(three) == 18
    assert [reply for reply in three if reply.sample < 2] == two


def test_a_complete_recording_asks_nothing_and_leaves_the_file(path: Path) -> None:
    record(path)
    before = path.read_bytes()
    record(path)
    assert path.read_bytes() == before


def test_other_records_of_the_file_stay(path: Path) -> None:
    path.write_bytes(dump_record(sample_record()))
    assert record(path)[0] == sample_record()


def test_replies_are_counted_as_they_come(path: Path) -> None:
    counts: list[int] = []
    questions = plan(PROMPTS, ECHO)
    record_replies(questions[:2], ECHO, path, options=RecordingOptions())
    record_replies(questions, ECHO, path, options=RecordingOptions(), on_replies=counts.append)
    assert counts == [2, 1, 1, 1, 1]


@pytest.mark.parametrize(("keep_going", "recorded"), [(False, ["a"]), (True, ["a", "c", "a", "c"])])
def test_a_model_that_raises_is_named_and_what_was_recorded_stays(
    path: Path, *, keep_going: bool, recorded: list[str]
) -> None:
    questions = plan(PROMPTS, FAILS_ON_B)
    refusals = record_replies(questions, FAILS_ON_B, path, options=RecordingOptions(keep_going=keep_going))
    assert str(refusals[0]) == "fake_models:fails_on_b/base/b/0: RuntimeError: the provider said no"
    assert [reply.prompt_id for reply in read_records(path)] == recorded


def test_a_model_that_gives_up_with_a_cancellation_is_named_too(path: Path) -> None:
    model = load_model("fake_models:cancelled")
    [refusal] = record_replies(plan(PROMPTS, model)[:1], model, path, options=RecordingOptions())
    assert str(refusal) == "fake_models:cancelled/base/a/0: CancelledError"


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        ({"prompts": [{"id": "a", "prompt": "another"}]}, "messages"),
        ({"configurations": [{"name": "base", "parameters": {"seed": 100, "temperature": 1}}]}, "parameters"),
        ({"prompts": [{"id": "a", "prompt": "a", "output": "markdown"}]}, "output"),
    ],
)
def test_a_question_that_changed_is_not_mixed_with_its_old_reply(
    path: Path, changed: dict[str, object], what: str
) -> None:
    record(path)
    questions = plan(PromptFile.model_validate({**PROMPTS.model_dump(by_alias=True), **changed}), ECHO)
    with pytest.raises(UsageError) as raised:
        record_replies(questions, ECHO, path, options=RecordingOptions())
    expected = f"{path}: {questions[0].id} was recorded with other {what}; delete it there or name another file"
    assert str(raised.value) == expected


def test_a_file_that_is_being_recorded_is_left_alone(path: Path) -> None:
    with RecordWriter(path, exclusive=True), pytest.raises(UsageError, match="another process is writing this file"):
        record(path)


def test_parameters_override_those_of_the_file() -> None:
    question = plan(PROMPTS, ECHO, configurations=["base"], parameters={"temperature": 1})[0]
    assert question.parameters == {"seed": 100, "temperature": 1}


def test_a_configuration_named_twice_is_asked_once() -> None:
    assert plan(PROMPTS, ECHO, configurations=["hint", "hint"]) == plan(PROMPTS, ECHO, configurations=["hint"])


def test_an_unknown_configuration_is_answered_with_those_there_are() -> None:
    with pytest.raises(UsageError, match="no configuration 'warm'; the prompt file has base, hint"):
        plan(PROMPTS, ECHO, configurations=["warm"])
