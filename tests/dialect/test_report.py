from __future__ import annotations

from pathlib import Path

import pytest

from pytest_llmout.cli import main

REPORTS = Path(__file__).parents[2] / "reports"


@pytest.fixture(scope="module")
def regenerated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reports")
    assert main(["report", "-o", str(folder)]) == 0
    return folder


@pytest.mark.parametrize("name", ["dialect.csv", "report.html"])
def test_the_committed_report_is_the_one_of_the_shipped_corpus(regenerated: Path, name: str) -> None:
    assert (regenerated / name).read_bytes() == (REPORTS / name).read_bytes(), "run: llmout report -o reports"
