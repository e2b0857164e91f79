from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
import pytest
from generated_corpus import write_generated_corpus

from pytest_llmout.cli import main
from pytest_llmout.corpus.store import BadLine, read_records, shipped_corpus
from pytest_llmout.dialect import partitions
from pytest_llmout.dialect.partitions import blocks, profile_corpus
from pytest_llmout.dialect.profile import profile
from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path


def unexpected(line: BadLine) -> None:
    raise AssertionError(line)


def joined(path: Path, *, workers: int = 1) -> pd.DataFrame:
    return pd.concat(profile_corpus(path, workers=workers, on_bad=unexpected), ignore_index=True)


@pytest.mark.parametrize("size", [1, 100, 10_000, 10**9])
def test_blocks_are_whole_lines_and_nothing_is_lost(size: int) -> None:
    found = list(blocks(shipped_corpus(), size=size))
    files = {block.path for block in found}
    for file in files:
        own = [block for block in found if block.path == file]
        assert b"".join(block.data for block in own) == file.read_bytes()
        assert all(block.data.endswith(b"\n") for block in own)
        lines = [block.data.count(b"\n") for block in own]
        assert [block.first for block in own] == [1 + sum(lines[:place]) for place in range(len(own))]


def test_the_result_is_equal_whatever_the_number_of_workers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.jsonl"
    write_generated_corpus(path, 300)
    whole = profile(read_records(path))
    monkeypatch.setattr(partitions.blocks, "__kwdefaults__", {"size": 50_000})
    assert len(list(blocks(path))) > 5
    for workers in (1, 2, 3):
        pd.testing.assert_frame_equal(joined(path, workers=workers), whole)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_bad_line_is_named_by_its_number_in_the_file(
    tmp_path: Path, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.jsonl"
    write_generated_corpus(path, 20)
    with path.open("ab") as file:
        file.write(b"broken\n")
    monkeypatch.setattr(partitions.blocks, "__kwdefaults__", {"size": 5_000})
    bad: list[BadLine] = []
    assert sum(map(len, profile_corpus(path, workers=workers, on_bad=bad.append))) == 20
    assert [(line.path, line.number) for line in bad] == [(path, 21)]


def test_a_line_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partitions, "LONGEST_LINE", 1_000)
    (tmp_path / "a.jsonl").write_bytes(b"\n" + b"x" * 2_000)
    with pytest.raises(UsageError, match=r"a\.jsonl:2: a line of more than 1000 bytes"):
        list(blocks(tmp_path / "a.jsonl", size=10))


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
