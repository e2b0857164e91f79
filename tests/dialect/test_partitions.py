from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
import pytest
from generated_corpus import write_generated_corpus

from pytest_llmout.cli import main
from pytest_llmout.corpus import store
from pytest_llmout.corpus.store import BadLine, read_records
from pytest_llmout.dialect import parts as parts_module
from pytest_llmout.dialect.partitions import parts, profile_corpus
from pytest_llmout.dialect.parts import BLOCK, cut, measure_part
from pytest_llmout.dialect.profile import profile
from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from pytest_llmout.corpus.record import ReplyRecord


def unexpected(line: BadLine) -> None:
    raise AssertionError(line)


def joined(path: Path, *, workers: int = 1, size: int = BLOCK) -> pd.DataFrame:
    return pd.concat(list(profile_corpus(path, workers=workers, size=size, on_bad=unexpected)), ignore_index=True)


def write_parquet(path: Path, records: Iterable[ReplyRecord], *, bad: int = 0) -> None:
    """Write records as rows, a few to a row group, behind some that lack what every record has."""
    pytest.importorskip("pyarrow", reason="needs the extra [scale]")
    rows = [{"id": f"bad{number}"} for number in range(bad)]
    rows += [record.model_dump(mode="json") for record in records]
    frame = pd.DataFrame(rows).drop(columns=["parameters", "attempts", "messages"])
    frame.to_parquet(path, row_group_size=40)


@pytest.mark.parametrize("size", [1, 100, 10_000, 10**9])
def test_every_line_is_in_one_part(size: int, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\n\nx\n" + b"long" * 50 + b"\n\ny\r\n" + b"z" * 99 + b"\n" + b"no line end")
    found = []
    with path.open("rb") as file:
        for part in cut(path, file, path.stat().st_size, size=size):
            measured = measure_part(part, file)
            assert len(measured.table) == 0
            found.append((measured.lines, [line.number for line in measured.bad]))
    assert sum(lines for lines, _ in found) == 8
    assert sum(len(bad) for _, bad in found) == 5
    bad = [line.number for line in bad_lines(path, size=size)]
    assert bad == [3, 4, 6, 7, 8]


def bad_lines(path: Path, *, workers: int = 1, size: int = BLOCK) -> list[BadLine]:
    bad: list[BadLine] = []
    for _ in profile_corpus(path, workers=workers, size=size, on_bad=bad.append):
        pass
    return bad


def test_the_result_is_equal_whatever_the_number_of_workers(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    write_generated_corpus(path, 300)
    whole = profile(read_records(path))
    assert len(list(parts(path, size=50_000))) > 5
    for workers in (1, 2, 3):
        pd.testing.assert_frame_equal(joined(path, workers=workers, size=50_000), whole)


@pytest.mark.parametrize("workers", [1, 2])
def test_parquet_is_profiled_as_lines_are(tmp_path: Path, workers: int) -> None:
    write_generated_corpus(tmp_path / "a.jsonl", 300)
    whole = profile(read_records(tmp_path / "a.jsonl"))
    write_parquet(tmp_path / "b.parquet", read_records(tmp_path / "a.jsonl"))
    assert len(list(parts(tmp_path / "b.parquet"))) == 8
    pd.testing.assert_frame_equal(joined(tmp_path / "b.parquet", workers=workers), whole)
    pd.testing.assert_frame_equal(profile(read_records(tmp_path / "b.parquet")), whole)
    pd.testing.assert_frame_equal(joined(tmp_path, workers=workers), pd.concat([whole, whole], ignore_index=True))


@pytest.mark.parametrize("workers", [1, 2])
def test_a_bad_line_is_named_by_its_number_in_the_file(tmp_path: Path, workers: int) -> None:
    for name in ("a.jsonl", "b.jsonl"):
        write_generated_corpus(tmp_path / name, 20)
        with (tmp_path / name).open("ab") as file:
            file.write(b"broken\n")
    bad = bad_lines(tmp_path, workers=workers, size=5_000)
    assert [(line.path, line.number) for line in bad] == [(tmp_path / "a.jsonl", 21), (tmp_path / "b.jsonl", 21)]


def test_a_bad_row_is_named_by_its_number_in_the_file(tmp_path: Path) -> None:
    write_generated_corpus(tmp_path / "a.jsonl", 100)
    write_parquet(tmp_path / "b.parquet", read_records(tmp_path / "a.jsonl"), bad=50)
    bad = bad_lines(tmp_path / "b.parquet")
    assert [line.number for line in bad] == list(range(1, 51))
    assert str(bad[-1]).endswith("b.parquet:50: not a reply record: prompt_id: Field required (and 2 more)")


@pytest.mark.parametrize("data", [b"", b"PAR1", b"PAR1" + b"\0" * 100 + b"PAR1", b"{}"])
def test_what_is_no_parquet_is_named(tmp_path: Path, data: bytes) -> None:
    pytest.importorskip("pyarrow", reason="needs the extra [scale]")
    (tmp_path / "a.parquet").write_bytes(data)
    with pytest.raises(UsageError, match=r"a\.parquet: cannot be read"):
        bad_lines(tmp_path / "a.parquet")
    with pytest.raises(UsageError, match=r"a\.parquet: cannot be read"):
        list(read_records(tmp_path / "a.parquet"))


@pytest.mark.parametrize("size", [10, 700])
def test_a_line_that_is_too_long_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    for module in (parts_module, store):
        monkeypatch.setattr(module, "LONGEST_LINE", 1_000)
    (tmp_path / "a.jsonl").write_bytes(b"\n" + b"x" * 2_000 + b"\n" + b"y" * 1_000 + b"\n\nz")
    bad = [(line.number, line.why) for line in bad_lines(tmp_path / "a.jsonl", size=size)]
    assert bad[0] == (2, "a line of more than 1000 bytes")
    assert [number for number, _ in bad] == [2, 3, 5]
    read: list[BadLine] = []
    assert not list(read_records(tmp_path / "a.jsonl", on_bad=read.append))
    assert [(line.number, line.why) for line in read] == bad


def test_the_command_takes_the_number_of_workers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.jsonl"
    write_generated_corpus(path, 30)
    printed = []
    for workers in ("1", "2"):
        rows = tmp_path / f"{workers}.csv"
        assert main(["profile", str(path), "--workers", workers, "-o", str(rows)]) == 0
        printed.append((capsys.readouterr(), rows.read_bytes()))
    assert printed[0] == printed[1]
    assert printed[0][0].err == ""  # the progress bar is for terminals
    assert main(["profile", str(path), "--workers", "0"]) == 2
    assert capsys.readouterr().err == "llmout: --workers 0: not a whole number from 1\n"
