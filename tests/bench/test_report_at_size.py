"""The size of a report; run by `tox -e bench`."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from generated_corpus import write_generated_corpus

from pytest_llmout.cli import main

if TYPE_CHECKING:
    from pathlib import Path


def test_a_report_of_10_000_replies_stays_below_3_mb(tmp_path: Path) -> None:
    """Of twelve groups, three models on four days."""
    write_generated_corpus(tmp_path / "corpus.jsonl", 10_000)
    start = time.perf_counter()
    assert main(["report", str(tmp_path / "corpus.jsonl"), "-o", str(tmp_path)]) == 0
    size = (tmp_path / "report.html").stat().st_size
    print(f"a report of 10 000 replies: {size:,} bytes in {time.perf_counter() - start:.0f} s")
    assert size < 3_000_000
