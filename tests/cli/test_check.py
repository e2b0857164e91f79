from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING

import pytest

from pytest_llmout.cli import main
from pytest_llmout.corpus.record import Model, ReplyRecord
from pytest_llmout.corpus.store import write_records

if TYPE_CHECKING:
    from pathlib import Path

SCHEMA = {
    "type": "object",
    "properties": {"title": {"type": "string"}, "priority": {"type": "integer"}},
    "required": ["title", "priority"],
}
GOOD = '{"title": "Tea", "priority": 2}'
MODULE = "json_case_schemas:Task"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "task.json").write_text(json.dumps(SCHEMA), encoding="utf-8")
    (tmp_path / "good.txt").write_text(f"```json\n{GOOD}\n```\n", encoding="utf-8")
    (tmp_path / "bad.txt").write_text('{"title": "Tea"}', encoding="utf-8")
    (tmp_path / "prose.txt").write_text(f"Here you are: {GOOD}", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("schema", ["task.json", MODULE])
def test_a_good_reply(schema: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "good.txt", "--schema", schema]) == 0
    assert capsys.readouterr().out == "1 reply: 1 ok, 0 syntax, 0 schema\n"


@pytest.mark.parametrize("schema", ["task.json", MODULE])
def test_findings_name_the_file_and_what_is_wrong(schema: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "good.txt", "bad.txt", "prose.txt", "--schema", schema]) == 1
    bad, prose, total = capsys.readouterr().out.rstrip("\n").split("\n")
    assert bad.startswith("bad.txt: schema (validation): ")
    assert "priority" in bad
    assert prose.startswith("prose.txt: syntax (not_json): ")
    assert total == "3 replies: 1 ok, 1 syntax, 1 schema"


def test_extraction_is_a_choice() -> None:
    assert main(["check", "prose.txt", "--schema", MODULE, "--extract", "embedded"]) == 0
    assert main(["check", "good.txt", "--schema", MODULE, "--extract", "none"]) == 1


def test_strict_converts_nothing(folder: Path) -> None:
    (folder / "text.txt").write_text('{"title": "Tea", "priority": "2"}', encoding="utf-8")
    assert main(["check", "text.txt", "--schema", MODULE]) == 0
    assert main(["check", "text.txt", "--schema", MODULE, "--strict"]) == 1


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(GOOD.encode())))
    assert main(["check", "-", "--schema", MODULE]) == 0


def test_lines(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "replies.jsonl").write_text(f"{GOOD}\n\n[]\n{GOOD}\n", encoding="utf-8")
    assert main(["check", "replies.jsonl", "--lines", "--schema", "task.json"]) == 1
    finding, total = capsys.readouterr().out.rstrip("\n").split("\n")
    assert finding.startswith("replies.jsonl:3: schema (validation): ")
    assert total == "3 replies: 2 ok, 0 syntax, 1 schema"


def test_reply_records(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts = {"first": GOOD, "second": ""}
    records = (ReplyRecord(id=name, prompt_id="p", model=Model(name="m"), raw=raw) for name, raw in texts.items())
    write_records(folder / "corpus.jsonl", records)
    assert main(["check", "corpus.jsonl", "--schema", MODULE]) == 1
    assert capsys.readouterr().out == (
        "corpus.jsonl: second: syntax (empty): (empty reply)\n2 replies: 1 ok, 1 syntax, 0 schema\n"
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["absent.txt", "--schema", "task.json"], "absent.txt: cannot be read", id="missing"),
        pytest.param([".", "--schema", "task.json"], ".: cannot be read: Is a directory", id="directory"),
        pytest.param(["binary.bin", "--schema", "task.json"], "binary.bin: not UTF-8 text (byte 2)", id="binary"),
        pytest.param(["broken.jsonl", "--schema", "task.json"], "broken.jsonl:1: not JSON", id="broken-line"),
        pytest.param(["none.jsonl", "--schema", "task.json"], "none.jsonl: there is no reply in it", id="nothing"),
        pytest.param(["good.txt", "--schema", "absent.json"], "absent.json: cannot be read", id="schema-missing"),
        pytest.param(["good.txt", "--schema", "."], ".: cannot be read: Is a directory", id="schema-directory"),
        pytest.param(["good.txt", "--schema", "binary.bin"], "binary.bin: not UTF-8 text", id="schema-binary"),
        pytest.param(["good.txt", "--schema", "good.txt"], "good.txt: not JSON", id="schema-not-json"),
        pytest.param(["good.txt", "--schema", "list.json"], "a JSON Schema is an object", id="schema-list"),
        pytest.param(["good.txt", "--schema", "odd.json"], 'found "objekt"', id="schema-invalid"),
        pytest.param(["good.txt", "--schema", "dangling.json"], "no other file or address is read", id="reference"),
        pytest.param(["good.txt", "--schema", "no_such_module:Task"], "no module named", id="module"),
        pytest.param(["good.txt", "--schema", "json_case_schemas:Tusk"], "there is Task", id="class"),
        pytest.param(["good.txt", "--schema", "json_case_schemas:CLOCK"], "no schema that pydantic", id="no-schema"),
    ],
)
def test_unusable_input_is_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    (folder / "binary.bin").write_bytes(b"{\xff\x00")
    (folder / "broken.jsonl").write_text("{\n", encoding="utf-8")
    (folder / "none.jsonl").write_text("", encoding="utf-8")
    (folder / "list.json").write_text("[]", encoding="utf-8")
    (folder / "odd.json").write_text('{"type": "objekt"}', encoding="utf-8")
    (folder / "dangling.json").write_text('{"$ref": "#/$defs/absent"}', encoding="utf-8")
    assert main(["check", *arguments]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert message in error
