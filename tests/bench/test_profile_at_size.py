"""The bars of profiling and importing at size; run by `tox -e bench`."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from itertools import islice
from typing import TYPE_CHECKING

import pytest
from generated_corpus import write_generated_corpus

from pytest_llmout.corpus.store import read_records
from pytest_llmout.dialect.partitions import parts
from pytest_llmout.dialect.parts import measure_part
from pytest_llmout.dialect.reply import parse_events

if TYPE_CHECKING:
    from pathlib import Path

REPLIES = 200_000
PROBE = 4_000
LONGER_THAN_WALK = 5
"""How many times as long profiling a reply may take as iterating over its events and doing nothing with them."""

# Runs `llmout` and reports the largest memory of it and of its workers, in MB.
RUN = """
import resource, sys
from pytest_llmout.cli import main
code = main(sys.argv[1:])
for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
    print(resource.getrusage(who).ru_maxrss // 1024, file=sys.stderr)
sys.exit(code)
"""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bench") / "corpus.jsonl"
    write_generated_corpus(path, REPLIES)
    return path


def llmout(*arguments: object) -> tuple[str, list[int], str]:
    command = [sys.executable, "-c", RUN, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)  # noqa: S603  our own command
    *said, own, children = done.stderr.rstrip("\n").split("\n")
    assert done.returncode in (0, 2), done.stderr
    return done.stdout, [int(own), int(children)], "\n".join(said)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_corpus_of_200_000_replies_is_profiled_in_bounded_memory(corpus: Path, workers: int) -> None:
    start = time.perf_counter()
    out, memory, _ = llmout("profile", corpus, "--workers", workers, "--by", "model")
    print(f"{workers} workers: {REPLIES / (time.perf_counter() - start):,.0f} replies a second, {memory} MB")
    assert "model-2" in out
    assert max(memory) <= 500


def test_profiling_costs_little_more_than_walking_the_events(corpus: Path) -> None:
    part = next(parts(corpus, size=8 * 2**20))
    texts = [record.raw for record in islice(read_records(corpus), PROBE)]
    walk, profile = [], []
    for _ in range(5):
        start = time.process_time()
        for text in texts:
            for _event in parse_events(text):
                pass
        walk.append((time.process_time() - start) / PROBE)
        start = time.process_time()
        with corpus.open("rb") as file:
            measured = measure_part(part, file)
        profile.append((time.process_time() - start) / len(measured.table))
    print(f"walk {1 / min(walk):,.0f}, profile {1 / min(profile):,.0f} replies a second on a core")
    assert min(profile) <= LONGER_THAN_WALK * min(walk)


def test_a_line_of_1_gb_is_passed_over_in_bounded_memory(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    line = json.dumps({"messages": [{"role": "user", "content": "Q"}, {"role": "assistant", "content": "A"}]})
    with path.open("wb") as file:
        file.write(f"{line}\n".encode())
        file.seek(2**30, 1)  # a hole: a line of a thousand million NULs that takes no room on the disk
        file.write(f"\n{line}\n".encode())
    out, memory, said = llmout("import", path, "-o", tmp_path / "corpus.jsonl")
    assert "2 replies from messages, 1 entry skipped" in out
    assert said == f"llmout: {path}:2: a line of more than 33554432 bytes"
    assert max(memory) <= 500


def test_a_million_entries_are_imported_in_bounded_memory(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for number in range(1_000_000):
            file.write(f'{{"id": "{number}", "messages": [{{"role": "assistant", "content": "{number}"}}]}}\n')
    out, memory, _ = llmout("import", path, "-o", tmp_path / "corpus.jsonl")
    assert "1000000 replies" in out
    assert max(memory) <= 500
