from __future__ import annotations

import os
import signal
import sys
import time
from typing import TYPE_CHECKING

import pytest
from command_line import run_llmout, start_llmout

from pytest_llmout.cli import main
from pytest_llmout.corpus.store import read_records

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

PROMPTS = "".join(f'[[prompts]]\nid = "p{number}"\nprompt = "{letter}"\n' for number, letter in enumerate("abcdef"))
SAMPLES = 10
EVERY_ID = {f"fake_models:slow/default/p{number}/{sample}" for number in range(6) for sample in range(SAMPLES)}
SLOW = ("record", "p.toml", "--model", "fake_models:slow", "--samples", SAMPLES, "-o", "a.jsonl")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "p.toml").write_text(PROMPTS, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    return tmp_path


def ids(path: Path) -> list[str]:
    return [record.id for record in read_records(path)]


def wait_for_lines(path: Path, number: int) -> None:
    while not path.exists() or path.read_bytes().count(b"\n") < number:
        time.sleep(0.005)


def stop(process: subprocess.Popen[str], signal_number: int) -> tuple[int, str]:
    with process:
        process.send_signal(signal_number)
        _, error = process.communicate()
    return process.returncode, error


def test_replies_are_recorded_beside_the_prompts_name(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["record", "p.toml", "--model", "fake_models:echo", "--parameter", "seed=1", "--parameter", "stop=END"])
        == 0
    )
    assert capsys.readouterr().out == "p.jsonl: 6 replies\n"
    first, *_ = read_records(folder / "p.jsonl")
    assert first.raw == "a [('seed', 1), ('stop', 'END')]"


def test_a_module_of_the_working_folder_is_found(folder: Path) -> None:
    (folder / "own_model.py").write_text("def model(messages): return 'mine'", encoding="utf-8")
    assert run_llmout("record", "p.toml", "--model", "own_model:model", cwd=folder)[0] == 0
    assert {record.raw for record in read_records(folder / "p.jsonl")} == {"mine"}


def test_a_terminal_gets_a_progress_bar_and_a_pipe_does_not(folder: Path) -> None:
    termios = pytest.importorskip("termios", reason="Windows has no pseudo-terminals")
    arguments = ("record", "p.toml", "--model", "fake_models:echo", "-o")
    assert run_llmout(*arguments, "piped.jsonl", cwd=folder) == (0, "piped.jsonl: 6 replies\n", "")
    screen, terminal = os.openpty()
    termios.tcsetwinsize(terminal, (24, 80))
    with start_llmout(*arguments, "shown.jsonl", cwd=folder, stderr=terminal) as process:
        assert process.wait() == 0
    assert "6/6" in os.read(screen, 10_000).decode()
    os.close(terminal)
    os.close(screen)


@pytest.mark.parametrize("lines", [1, 7, 23])
@pytest.mark.parametrize("concurrency", [1, 4])
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for another process")
def test_an_interrupt_ends_with_130_and_the_same_command_goes_on(folder: Path, lines: int, concurrency: int) -> None:
    arguments = (*SLOW, "--concurrency", concurrency)
    process = start_llmout(*arguments, cwd=folder)
    wait_for_lines(folder / "a.jsonl", lines)
    assert stop(process, signal.SIGINT) == (130, "llmout: interrupted\n")
    before = {record.id: record for record in read_records(folder / "a.jsonl")}
    assert lines <= len(before) < len(EVERY_ID)
    assert run_llmout(*arguments, cwd=folder)[0] == 0
    after = {record.id: record for record in read_records(folder / "a.jsonl")}
    assert len(ids(folder / "a.jsonl")) == len(EVERY_ID)
    assert after.keys() == EVERY_ID
    assert {name: after[name] for name in before} == before


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_a_recording_killed_again_and_again_loses_and_repeats_nothing(folder: Path) -> None:
    path = folder / "a.jsonl"
    for lines in (2, 11, 30, 31, 50):
        process = start_llmout(*SLOW, "--concurrency", 3, cwd=folder)
        wait_for_lines(path, lines)
        time.sleep(lines * 7 % 5 / 100)
        assert stop(process, signal.SIGKILL)[0] == -signal.SIGKILL
    assert run_llmout(*SLOW, cwd=folder)[0] == 0
    assert len(ids(path)) == len(EVERY_ID)
    assert set(ids(path)) == EVERY_ID
    assert {file.name for file in folder.iterdir()} == {"p.toml", "a.jsonl"}


def test_a_model_that_fails_is_a_finding(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["record", "p.toml", "--model", "fake_models:fails_on_b", "--keep-going"]) == 1
    assert capsys.readouterr().err == (
        "llmout: the model failed on fake_models:fails_on_b/default/p1/0: RuntimeError: the provider said no\n"
    )
    assert len(ids(folder / "p.jsonl")) == 5


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing.toml", "--model", "fake_models:echo"], "missing.toml: cannot be read: No such file or directory"),
        (["p.toml", "--model", "fake_models:ecko"], "module fake_models has no attribute 'ecko'; there is echo"),
        (
            ["p.toml", "--model", "fake_models:number"],
            "model fake_models:number returned int; a model returns str, None or ModelReply",
        ),
        (["p.toml", "--model", "fake_models:echo", "-o", "."], ".: the output is a file that ends in .jsonl"),
        (["p.toml", "--model", "fake_models:echo", "-o", "a.csv"], "a.csv: the output is a file that ends in .jsonl"),
        (
            ["p.toml", "--model", "fake_models:echo", "-o", "broken.jsonl"],
            "broken.jsonl:1: not JSON: Expecting value (character 1 of the line)",
        ),
        (
            ["p.toml", "--model", "fake_models:echo", "--configuration", "x"],
            "no configuration 'x'; the prompt file has default",
        ),
    ],
)
def test_bad_input_is_one_line_and_code_2(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    (folder / "broken.jsonl").write_text("broken\n", encoding="utf-8")
    assert main(["record", *arguments]) == 2
    assert capsys.readouterr().err == f"llmout: {message}\n"


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (["--samples", "0"], "argument --samples: '0' is not a whole number from 1"),
        (["--concurrency", "two"], "argument --concurrency: 'two' is not a whole number from 1"),
        (
            ["--parameter", "a=["],
            "argument --parameter: a: '[' begins as JSON does, and is none: Expecting value: line 1 column 2 (char 1)",
        ),
        (["--parameter", "seed"], "argument --parameter: 'seed' is not of the form name=value"),
    ],
)
def test_a_wrong_option_is_explained(capsys: pytest.CaptureFixture[str], option: list[str], message: str) -> None:
    assert main(["record", "p.toml", "--model", "fake_models:echo", *option]) == 2
    assert capsys.readouterr().err.endswith(f"llmout record: error: {message}\n")
