from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_llmout.cli import main
from pytest_llmout.corpus.store import read_records

if TYPE_CHECKING:
    from pathlib import Path

IMPORTER = '''"""One reply a line."""
from pytest_llmout.corpus.importers.importer import Draft

def detect(peek):
    return peek.path.suffix == ".replies"

def read(source):
    for number, line in enumerate(source.path.read_text(encoding="utf-8").split("\\n"), start=1):
        yield Draft(str(number), {"raw": line, "model": {"name": "theirs"}})
'''


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Lay out an installed distribution that registers importers."""
    (tmp_path / "their_importer.py").write_text(IMPORTER, encoding="utf-8")
    metadata = tmp_path / "theirs-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    return metadata / "entry_points.txt"


def register(install: Path, *lines: str) -> None:
    install.write_text("\n".join(["[pytest_llmout.importers]", *lines]), encoding="utf-8")


def test_a_third_party_adds_an_importer_by_one_file_and_one_line(
    install: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    register(install, "theirs = their_importer")
    assert main(["formats"]) == 0
    assert "theirs           One reply a line." in capsys.readouterr().out.split("\n")
    (tmp_path / "a.replies").write_text("one\ntwo", encoding="utf-8")
    assert main(["import", str(tmp_path / "a.replies"), "-o", str(tmp_path / "corpus.jsonl")]) == 0
    assert [record.raw for record in read_records(tmp_path / "corpus.jsonl")] == ["one", "two"]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        pytest.param(
            ["theirs = their_importer", "also = their_importer"],
            "a.replies: could be also or theirs: name the format with --from",
            id="two fit",
        ),
        pytest.param(
            ["broken = no_such_module"],
            "the importer of broken cannot be imported: no module named 'no_such_module'; there is ",
            id="broken",
        ),
        pytest.param(
            ["broken = their_importr"],
            "the importer of broken cannot be imported: no module named 'their_importr'; there is their_importer",
            id="misspelt",
        ),
        pytest.param(
            ["broken = their_importer:reader"],
            "the importer of broken cannot be imported: module their_importer has no attribute 'reader'; there is read",
            id="attribute",
        ),
    ],
)
def test_what_is_wrong_with_an_importer_is_named(
    install: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], lines: list[str], message: str
) -> None:
    register(install, *lines)
    (tmp_path / "a.replies").write_text("one", encoding="utf-8")
    assert main(["import", str(tmp_path / "a.replies"), "-o", str(tmp_path / "corpus.jsonl")]) == 2
    assert message in capsys.readouterr().err
