from __future__ import annotations

import multiprocessing
from pathlib import Path

import pytest
from sample_records import append_samples, sample_record

from pytest_llmout.corpus.record import dump_record
from pytest_llmout.corpus.store import read_records, write_records
from pytest_llmout.corpus.writer import RecordWriter
from pytest_llmout.errors import UsageError

RECORDS = [sample_record(0), sample_record(1, "é\ud800\n"), sample_record(2, "")]
WRITERS, EACH = 4, 25


def test_records_are_appended(tmp_path: Path) -> None:
    path = tmp_path / "made" / "a.jsonl"
    for record in RECORDS:
        with RecordWriter(path) as writer:
            writer.append(record)
    assert path.read_bytes() == b"".join(map(dump_record, RECORDS))


def test_a_file_cut_at_any_byte_keeps_its_whole_records_and_takes_more(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    lines = [dump_record(record) for record in RECORDS]
    content = b"".join(lines)
    ends = [sum(map(len, lines[: number + 1])) for number in range(len(lines))]
    for cut in range(len(content) + 1):
        path.write_bytes(content[:cut])
        with RecordWriter(path) as writer:
            writer.append(sample_record(9))
        whole = [record for record, end in zip(RECORDS, ends, strict=True) if end - 1 <= cut]
        assert list(read_records(path)) == [*whole, sample_record(9)], cut


def test_what_another_writer_was_killed_at_does_not_spoil_the_next_record(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with RecordWriter(path) as writer, path.open("ab", buffering=0) as killed:
        killed.write(dump_record(RECORDS[1])[:40])
        writer.append(RECORDS[0])
        killed.write(dump_record(RECORDS[1])[:-1])
        writer.append(RECORDS[2])
    assert list(read_records(path)) == RECORDS


def test_a_long_cut_tail_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(dump_record(sample_record(0)) + dump_record(sample_record(1, "x" * 100_000))[:-50])
    RecordWriter(path).close()
    assert path.read_bytes() == dump_record(sample_record(0))


def test_several_processes_lose_and_mix_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    context = multiprocessing.get_context("spawn")
    shares = [range(number * EACH, (number + 1) * EACH) for number in range(WRITERS)]
    processes = [context.Process(target=append_samples, args=(path, share)) for share in shares]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert sorted(record.sample for record in read_records(path)) == list(range(WRITERS * EACH))


def test_an_exclusive_writer_keeps_others_out_until_it_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with (
        RecordWriter(path, exclusive=True),
        pytest.raises(UsageError, match=r"a\.jsonl: another process is writing this file"),
    ):
        RecordWriter(path, exclusive=True)
    RecordWriter(path, exclusive=True).close()


def test_a_file_replaced_just_before_it_was_locked_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.jsonl"

    def lock_too_late(_descriptor: int) -> bool:
        write_records(path, RECORDS)
        return True

    monkeypatch.setattr("pytest_llmout.appending.try_lock", lock_too_late)
    with pytest.raises(UsageError, match="another process is writing this file"):
        RecordWriter(path, exclusive=True)
    assert list(read_records(path)) == RECORDS


def test_an_exclusive_writer_replaces_its_file(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with RecordWriter(path, exclusive=True) as writer:
        writer.append(sample_record(1))
        writer.replace([sample_record(2)])
    assert list(read_records(path)) == [sample_record(2)]


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="cannot be written: Is a directory"):
        RecordWriter(tmp_path)
    with pytest.raises(UsageError, match=r"cannot be written: (Not a directory|File exists)"):
        RecordWriter(tmp_path / "file" / "a.jsonl")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
def test_a_full_disk_is_named() -> None:
    with (
        pytest.raises(UsageError, match="/dev/full: cannot be written: No space left"),
        RecordWriter(Path("/dev/full")) as writer,
    ):
        writer.append(sample_record())
