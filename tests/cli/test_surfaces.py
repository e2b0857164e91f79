from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from reply_corpora import reply

from pytest_llmout.cli import main
from pytest_llmout.corpus.store import write_records

pytest.importorskip("cmarkgfm", reason="surfaces need the extra [surfaces]")

if TYPE_CHECKING:
    from pathlib import Path

TABLE = """\
reason           replies as written  places  replies canonical  places
nested                            1       3                  1       3
not provable                      2       2                  0       0
parsers differ                    0       0                  0       0
surfaces differ                   0       0                  0       0
of 3 replies
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_records(tmp_path / "replies.jsonl", [reply("*a* b"), reply("*a **b** c*", prompt="q")])
    (tmp_path / "reply.md").write_text("so *c*", encoding="utf-8")
    (tmp_path / "empty.jsonl").touch()
    return tmp_path


def test_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["surfaces", "replies.jsonl", "reply.md"]) == 0
    assert capsys.readouterr().out == TABLE


def test_check_finds_what_is_left(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["surfaces", "--check", "reply.md"]) == 0
    assert main(["surfaces", "--check", "replies.jsonl"]) == 1
    assert capsys.readouterr().err == ""


def test_list_names_the_words(capsys: pytest.CaptureFixture[str]) -> None:
    (line,) = ["'a': slack bold, github italic, page italic, memory italic (nested)"]
    assert main(["surfaces", "--list", "replies.jsonl"]) == 0
    assert line in capsys.readouterr().out


def test_nothing_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["surfaces", "empty.jsonl"]) == 2
    assert capsys.readouterr().err.startswith("llmout: ")
    assert main(["surfaces", "missing.md"]) == 2
    assert "missing.md: cannot be read" in capsys.readouterr().err
