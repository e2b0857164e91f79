from __future__ import annotations

import stat
import sys
from itertools import islice
from typing import TYPE_CHECKING

import pytest
from sample_records import sample_record

from pytest_llmout.corpus.record import dump_record
from pytest_llmout.corpus.store import BadLine, corpus_files, read_records, replace_file, write_records
from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_llmout.corpus.record import ReplyRecord

GOOD = dump_record(sample_record())


def test_what_is_written_is_read(tmp_path: Path) -> None:
    records = [
        sample_record(number, raw) for number, raw in enumerate(["a\r\nb", "\u2028\x85\x0c", "\ud800", "", "\x00"])
    ]
    write_records(tmp_path / "made" / "a.jsonl", records)
    assert list(read_records(tmp_path / "made" / "a.jsonl")) == records


def test_a_folder_is_read_in_the_order_of_its_file_names(tmp_path: Path) -> None:
    for number, name in enumerate(["b.jsonl", "a.jsonl", "c/a.jsonl", "notes.txt"]):
        write_records(tmp_path / name, [sample_record(number)])
    assert [record.sample for record in read_records(tmp_path)] == [1, 0, 2]
    assert corpus_files(tmp_path) == [tmp_path / "a.jsonl", tmp_path / "b.jsonl", tmp_path / "c" / "a.jsonl"]


def test_reading_is_streaming(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(GOOD + b"broken\n")
    assert list(islice(read_records(path), 1)) == [sample_record()]


def test_blank_lines_and_a_missing_last_line_end_are_no_fault(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\n" + GOOD + b"  \r\n" + GOOD.rstrip(b"\n"))
    assert len(list(read_records(path))) == 2


BAD_LINES = [
    pytest.param(b'{"id": "a"', "not JSON: Expecting ',' delimiter (character 11 of the line)", id="cut off"),
    pytest.param(b"\x89PNG\x00\x01", "not UTF-8 text (byte 1 of the line)", id="binary"),
    pytest.param(b"{}", "not a reply record: id: Field required (and 3 more)", id="another object"),
    pytest.param(b"[" * 99_999, "not JSON: the JSON is nested too deeply", id="nested"),
    pytest.param(b"[1]", "not a reply record: should be an object", id="not an object"),
    pytest.param(
        GOOD.replace(b"Approve", b"Reject").rstrip(b"\n"),
        "not a reply record: sha256 does not match raw: the text was altered after it was recorded",
        id="altered after recording",
    ),
]


@pytest.mark.parametrize(("line", "why"), BAD_LINES)
def test_a_bad_line_is_named_and_stops_the_reading(tmp_path: Path, line: bytes, why: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(GOOD + line + b"\n" + GOOD)
    with pytest.raises(UsageError) as raised:
        list(read_records(path))
    assert str(raised.value) == f"{path}:2: {why}"


@pytest.mark.parametrize(("line", "why"), BAD_LINES)
def test_a_bad_line_can_be_collected_and_the_rest_read(tmp_path: Path, line: bytes, why: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(GOOD + line + b"\n" + GOOD)
    bad: list[BadLine] = []
    assert len(list(read_records(path, on_bad=bad.append))) == 2
    assert bad == [BadLine(path, 2, why)]


def test_nothing_to_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match=r"missing\.jsonl: no such file or folder"):
        list(read_records(tmp_path / "missing.jsonl"))
    with pytest.raises(UsageError, match=r"empty: no \*\.jsonl or \*\.parquet file in this folder"):
        list(read_records(tmp_path / "empty"))
    (tmp_path / "empty" / "a.jsonl").mkdir()
    with pytest.raises(UsageError, match=r"a\.jsonl: cannot be read: Is a directory"):
        list(read_records(tmp_path / "empty"))


def test_a_failed_replacement_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    write_records(path, [sample_record(1)])

    def fails() -> Iterator[ReplyRecord]:
        yield sample_record(2)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_records(path, fails())
    assert list(read_records(tmp_path)) == [sample_record(1)]
    assert list(tmp_path.iterdir()) == [path]


def test_a_replaced_file_can_be_read_by_those_who_could_read_a_new_one(tmp_path: Path) -> None:
    (tmp_path / "plain").touch()
    replace_file(tmp_path / "replaced", [b"x"])
    assert stat.S_IMODE((tmp_path / "replaced").stat().st_mode) == stat.S_IMODE((tmp_path / "plain").stat().st_mode)


def test_parquet_without_its_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.parquet").touch()
    monkeypatch.delitem(sys.modules, "pytest_llmout.corpus.parquet", raising=False)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UsageError, match=r"a\.parquet: Parquet needs the package pyarrow: pip install 'pytest-llmout"):
        list(read_records(tmp_path / "a.parquet"))
