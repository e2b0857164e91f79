"""Recording runs that are killed at random moments."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from pytest_llmout.corpus.record import load_record

if TYPE_CHECKING:
    from pathlib import Path

TEST = """
import pathlib
import time

import pytest

@pytest.fixture
def llmout_model():
    return lambda messages: f"{messages[-1]['content']} at {time.time_ns()} " * 200

def test_one(llmout):
    with pathlib.Path("acknowledged.txt").open("a", encoding="utf-8", buffering=1) as acknowledged:
        for number in range(200):
            acknowledged.write(llmout.ask(f"Number {number}.").raw[:40] + "\\n")
"""


def kill_while_recording(folder: Path, *, times: int) -> list[str]:
    """Record in a process of its own, kill it at a random moment, look at what is left; again and again.

    Modes alternate, so that appending, replaying and replacing are all met.

    Returns:
        What went wrong: a reply that a test was given and that is not on disk, or a line that cannot be read.
    """
    (folder / "test_one.py").write_text(TEST, encoding="utf-8")
    chance = random.Random(times)  # noqa: S311  the moments need no secrecy
    problems, kills = [], 0
    while kills < times:
        (folder / "acknowledged.txt").unlink(missing_ok=True)
        mode = ("new_episodes", "all", "rewrite")[kills % 3]
        kills += _run_and_kill(folder, mode, chance.random() / 2)
        problems += [f"kill {kills}: {problem}" for problem in _problems(folder)]
    return problems


def _run_and_kill(folder: Path, mode: str, moment: float) -> bool:
    """Return whether the run was still going on."""
    command = [sys.executable, "-m", "pytest", "-p", "pytest_llmout.plugin", "--llmout-record-mode", mode]
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL) as run:  # noqa: S603  our own words
        while not (folder / "acknowledged.txt").exists() and run.poll() is None:
            time.sleep(0.01)
        time.sleep(moment)
        killed = run.poll() is None
        run.kill()
    return killed


def _problems(folder: Path) -> list[str]:
    *lines, _torn = (folder / "__recordings__" / "test_one" / "test_one.jsonl").read_bytes().split(b"\n")
    *acknowledged, _torn_too = (folder / "acknowledged.txt").read_text(encoding="utf-8").split("\n")
    try:
        kept = {load_record(line).raw[:40] for line in lines}
    except ValueError as error:
        return [f"a line cannot be read: {error}"]
    return [f"lost: {reply}" for reply in acknowledged if reply not in kept]
