from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from generated_corpus import write_generated_corpus

from pytest_llmout.cli import main

if TYPE_CHECKING:
    from pathlib import Path

COMMANDS = {
    "baseline": "baseline update corpus.jsonl --file {}",
    "canon": "canon reply.md -o {}",
    "drift": "drift corpus.jsonl corpus.jsonl -o {}",
    "import": "import corpus.jsonl -o {}.jsonl",
    "mutants": "mutants -o {}.svg",
    "profile": "profile corpus.jsonl -o {}.csv",
    "report": "report corpus.jsonl -o {}",
}
"""The commands that write what they are told to, each with an output without its suffix."""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_generated_corpus(tmp_path / "corpus.jsonl", 2)
    (tmp_path / "reply.md").write_text("text", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_an_output_below_a_file_is_refused_before_anything_is_done(
    command: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command.format("reply.md/sub/x").split()) == 2
    out, error = capsys.readouterr()
    assert out == ""
    assert error.startswith("llmout: reply.md/sub/x")
    assert error.endswith(f": cannot be written: {here}/reply.md is not a folder\n")


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_a_file_for_a_folder_and_a_folder_for_a_file_are_refused(
    command: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    *words, output = command.format("x").split()
    (here / output).touch() if words[0] == "report" else (here / output).mkdir()
    assert main([*words, output]) == 2
    out, error = capsys.readouterr()
    assert out == ""
    assert error.startswith(f"llmout: {output}: ")


@pytest.mark.parametrize("name", ["canon", "import", "profile"])
def test_folders_that_are_missing_are_made(name: str, here: Path) -> None:
    assert main(COMMANDS[name].format("new/sub/x").split()) == 0
    assert len(list((here / "new" / "sub").iterdir())) == 1


def test_one_of_a_kind_is_told_in_the_singular(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_generated_corpus(here / "one.jsonl", 1)
    with (here / "one.jsonl").open("a", encoding="utf-8") as file:
        file.write("broken\n")
    assert main(["import", "one.jsonl", "-o", "new.jsonl"]) == 0
    assert capsys.readouterr().out == "new.jsonl: 1 reply from reply-records, 1 entry skipped\n"
