from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import pytest
from killed_runs import survive_kills

from pytest_llmout import UsageError
from pytest_llmout.appending import TailRepair
from pytest_llmout.boundary.answer import answer_event
from pytest_llmout.boundary.run_record import RunRecord, read_events

if TYPE_CHECKING:
    from pathlib import Path

SECRET = "gh" + "p_" + "a1" * 18
EVENTS: list[dict[str, object]] = [{"type": "step", "n": 1, "text": "é\u2028"}, {"type": "step", "n": None}]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "made" / "run.jsonl"


def test_what_is_appended_is_read(path: Path) -> None:
    with RunRecord(path) as run:
        for event in EVENTS:
            run.append(event)
        assert run.repaired is None
    assert list(read_events(path)) == EVENTS


def test_an_answer_is_published_once(path: Path) -> None:
    with RunRecord(path) as run:
        event = run.answer("*Done*")
        assert run.answer("*Done*") == event == answer_event("*Done*")
    with RunRecord(path) as run:
        run.answer("*Done*")
        with pytest.raises(UsageError, match=r"run\.jsonl: this run has answered already; give each run a record"):
            run.answer("Something else")
    assert list(read_events(path)) == [event.fields()]


def test_an_answer_made_by_hand_is_refused(path: Path) -> None:
    with RunRecord(path) as run, pytest.raises(UsageError, match=r"is published by RunRecord\.answer"):
        run.append({"type": "answer", "text": "*a*"})


@pytest.mark.parametrize("value", [float("nan"), {1, 2}], ids=["not a number", "a set"])
def test_what_is_no_json_is_refused(path: Path, value: object) -> None:
    with RunRecord(path) as run, pytest.raises(UsageError, match="an event must be JSON"):
        run.append({"value": value})
    assert path.read_bytes() == b""


def test_nothing_secret_touches_the_disk(path: Path) -> None:
    with RunRecord(path) as run:
        run.append({"type": "step", "arguments": {"deep": [f"use {SECRET}"], "password": "hunter2"}})
        run.answer(f"*Use* {SECRET}")
    written = path.read_bytes()
    assert SECRET.encode() not in written
    assert b"hunter2" not in written


def test_a_second_writer_is_refused_until_the_first_is_done(path: Path) -> None:
    with RunRecord(path), pytest.raises(UsageError, match="another process is writing this file"):
        RunRecord(path)
    RunRecord(path).close()


def test_a_file_cut_at_any_byte_is_repaired_and_says_so(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with RunRecord(path) as run:
        for event in EVENTS:
            run.append(event)
    content = path.read_bytes()
    first = content.index(b"\n") + 1
    for cut in range(first + 1, len(content)):
        path.write_bytes(content[:cut])
        with RunRecord(path) as run:
            whole = cut == len(content) - 1
            assert run.repaired == TailRepair(completed=whole, size=cut - first)
        assert list(read_events(path)) == (EVENTS if whole else EVENTS[:1])
    assert {(record.levelno, record.name) for record in caplog.records} == {
        (logging.WARNING, "pytest_llmout.boundary.run_record")
    }
    assert caplog.messages[0].endswith("its unfinished line of 1 bytes was cut off")
    assert caplog.messages[-1].endswith("was whole and is kept")


def test_reading_streams_and_leaves_out_what_is_not_yet_whole(path: Path) -> None:
    with RunRecord(path) as run:
        run.append(EVENTS[0])
        with path.open("ab") as other:
            other.write(b'{"type":')
        assert list(read_events(path)) == EVENTS[:1]


BAD = [
    pytest.param(b"[1]\n", "not an event: it should be an object", id="no object"),
    pytest.param(b"\xff\n", "not an event: 'utf-8' codec can't decode", id="no text"),
    pytest.param(b"[" * 100_000 + b"\n", "not an event: the JSON is nested too deeply", id="nested"),
]


@pytest.mark.parametrize(("line", "why"), BAD)
def test_a_bad_line_is_named_after_the_good_ones(tmp_path: Path, line: bytes, why: str) -> None:
    path = tmp_path / "run.jsonl"
    path.write_bytes(b'{"n":1}\n' + line)
    events = read_events(path)
    assert next(events) == {"n": 1}
    with pytest.raises(UsageError) as raised:
        next(events)
    assert str(raised.value).startswith(f"{path}:2: {why}")


def test_a_missing_record_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"none\.jsonl: cannot be read: No such file"):
        list(read_events(tmp_path / "none.jsonl"))


def test_kills_lose_no_acknowledged_event(path: Path) -> None:
    survive_kills(path, kills=4)
