from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

import pytest
from markdown_texts import case_texts
from reply_corpora import reply

from pytest_llmout import canonicalize_markdown
from pytest_llmout.cli import main
from pytest_llmout.corpus.store import shipped_corpus, write_records

if TYPE_CHECKING:
    from pathlib import Path

RAW = "\ufeffTo do:\r\n- *tea*\n- 😀 *rice*, 2 * 3\r\u2028*x*"
CANONICAL = "\ufeffTo do:\r\n- **tea**\n- 😀 **rice**, 2 * 3\r\u2028**x**"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "raw.md").write_bytes(RAW.encode())
    (tmp_path / "canonical.md").write_bytes(CANONICAL.encode())
    return tmp_path


def test_the_canonical_form_byte_for_byte(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["canon", "raw.md", "canonical.md"]) == 0
    assert capfdbinary.readouterr() == (CANONICAL.encode() * 2, b"")


def test_every_case_byte_for_byte(folder: Path) -> None:
    texts = [text.encode("utf-8", "replace").decode() for text in case_texts()]
    names = [f"{number}.md" for number in range(len(texts))]
    for name, text in zip(names, texts, strict=True):
        (folder / name).write_bytes(text.encode())
    assert main(["canon", *names, "-o", "all.md"]) == 0
    assert (folder / "all.md").read_bytes() == "".join(map(canonicalize_markdown, texts)).encode()


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(RAW.encode())))
    assert main(["canon", "-"]) == 0
    assert capfdbinary.readouterr().out == CANONICAL.encode()


def test_check_names_what_would_change(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["canon", "--check", "canonical.md"]) == 0
    assert main(["canon", "--check", "canonical.md", "raw.md"]) == 1
    assert capsys.readouterr().out == "raw.md: would change (6 insertions)\n"


def test_diff(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["canon", "--diff", "raw.md", "canonical.md"]) == 0
    expected = (
        "--- raw.md\n+++ raw.md (canonical)\n@@ -1,3 +1,3 @@\n \ufeffTo do:\r\n"
        "-- *tea*\n-- 😀 *rice*, 2 * 3\r\u2028*x*\n\\ No newline at end of file\n"
        "+- **tea**\n+- 😀 **rice**, 2 * 3\r\u2028**x**\n\\ No newline at end of file\n"
    )
    assert capfdbinary.readouterr().out.decode() == expected
    assert main(["canon", "--check", "--diff", "raw.md"]) == 1


def test_edits_give_line_column_and_offset(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["canon", "--edits", "raw.md"]) == 0
    assert capsys.readouterr().out == (
        'raw.md:2:3: insert "*" at offset 11\n'
        'raw.md:2:8: insert "*" at offset 16\n'
        'raw.md:3:5: insert "*" at offset 21\n'
        'raw.md:3:11: insert "*" at offset 27\n'
        'raw.md:3:20: insert "*" at offset 36\n'
        'raw.md:3:23: insert "*" at offset 39\n'
    )


def test_output_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["canon", "raw.md", "-o", "raw.md"]) == 0
    assert (folder / "raw.md").read_bytes() == CANONICAL.encode()
    assert capsys.readouterr().out == ""


def test_reply_records(folder: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    records = [reply("\ud800 *a*", prompt="first"), reply("**b**", prompt="second")]
    write_records(folder / "corpus.jsonl", records)
    assert main(["canon", "--check", "corpus.jsonl"]) == 1
    assert main(["canon", "--diff", "corpus.jsonl"]) == 0
    named, *_, removed, _, added, _, end = capfdbinary.readouterr().out.split(b"\n")
    assert named == f"corpus.jsonl: {records[0].id}: would change (2 insertions)".encode()
    assert (removed, added, end) == (b"-\xed\xa0\x80 *a*", b"+\xed\xa0\x80 **a**", b"")


def test_the_shipped_corpus(capsys: pytest.CaptureFixture[str]) -> None:
    files = sorted(map(str, shipped_corpus().glob("*/*.jsonl")))
    assert main(["canon", "--edits", *files]) == 0
    assert 'insert "*" at offset' in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["absent.md"], "absent.md: cannot be read: No such file", id="missing"),
        pytest.param(["."], ".: cannot be read: Is a directory", id="directory"),
        pytest.param(["binary.bin"], "binary.bin: not UTF-8 text (byte 2)", id="binary"),
        pytest.param(["surrogate.md"], "surrogate.md: not UTF-8 text (byte 1)", id="surrogate"),
        pytest.param(["--check", "broken.jsonl"], "broken.jsonl:1: not JSON", id="broken-line"),
        pytest.param(["broken.jsonl"], "add --check, --diff or --edits", id="records-as-text"),
        pytest.param(["raw.md", "-o", "."], ".: cannot be written: ", id="output-is-a-directory"),
        pytest.param(["raw.md", "-o", "raw.md/out"], "raw.md/out: cannot be written: ", id="output-below-a-file"),
    ],
)
def test_unusable_input_is_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    (folder / "binary.bin").write_bytes(b"{\xff\x00")
    (folder / "surrogate.md").write_bytes(b"\xed\xa0\x80")
    (folder / "broken.jsonl").write_text("{\n", encoding="utf-8")
    assert main(["canon", *arguments]) == 2
    output, error = capsys.readouterr()
    assert output == ""
    assert error.count("\n") == 1
    assert message in error
