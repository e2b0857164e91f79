from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from pytest_llmout.cli import main
from pytest_llmout.conformance.mutants.output_types import OUTPUT_TYPES, right

SMALL = ["--max-examples", "4"]
ECHO = "import sys\nfor line in sys.stdin: print(line, end='', flush=True)\n"
CANON = Path(__file__).parents[1] / "conformance" / "canon.mjs"
INSTALL = f"npm install --silent --no-package-lock --prefix {CANON.parent}"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    # The long texts have tests of their own, and take most of the time.
    monkeypatch.setattr("pytest_llmout.conformance.hunt.KNOWN", {})
    monkeypatch.setattr("pytest_llmout.conformance.hunt.UNITS", ())
    (tmp_path / "echo.py").write_text(ECHO, encoding="utf-8")
    (tmp_path / "conformed.py").write_text(
        "def same(raw): return raw\nnumber = 17\nclass Type: ...\n", encoding="utf-8"
    )
    return tmp_path


def test_an_output_type_that_holds(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conform", "pytest_llmout.conformance.mutants.output_types:right", *SMALL]) == 0
    assert capsys.readouterr().out.endswith("14 invariants: 14 hold, 0 broken\n")


def test_a_function_that_does_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conform", "conformed:same", *SMALL]) == 1
    lines = capsys.readouterr().out.split("\n")
    assert "BROKEN complete         Every node is promoted that can be." in lines
    assert "  text    '*a*'" in lines


def test_known_faults_are_expected(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "known.txt").write_text("complete  # to do\n\nleftmost\n", encoding="utf-8")
    assert main(["conform", "conformed:same", *SMALL, "--xfails-file", "known.txt"]) == 0
    (folder / "known.txt").write_text("complete\nleftmost\ntotal\n", encoding="utf-8")
    assert main(["conform", "conformed:same", *SMALL, "--xfails-file", "known.txt"]) == 1
    assert "XPASS  total" in capsys.readouterr().out


def test_a_program(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conform", "--command", f"{sys.executable} echo.py", *SMALL]) == 1
    assert "  text    '*a*'" in capsys.readouterr().out


def test_a_program_that_ends(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "echo.py").write_text("raise ValueError('out of tea')", encoding="utf-8")
    assert main(["conform", "--command", f"{sys.executable} echo.py", *SMALL]) == 1
    assert "the program ended: ValueError: out of tea" in capsys.readouterr().out


@pytest.mark.skipif(
    shutil.which("node") is None or not (CANON.parent / "node_modules").exists(), reason=f"needs node, and: {INSTALL}"
)
def test_a_program_in_javascript_that_lacks_the_proof(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conform", "--command", f"node {CANON}", *SMALL]) == 1
    findings = capsys.readouterr().out.split("\n\n")
    proof = next(finding for finding in findings if finding.startswith("commonmark_tree: "))
    text = proof.partition("  text    ")[2].partition("\n")[0]
    assert len(text.strip("'")) <= 12


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param([], "give either module:attribute or --command", id="nothing"),
        pytest.param(["conformed:same", "--command", "cat"], "give either module:attribute or --command", id="both"),
        pytest.param(["--command", ""], "--command is empty", id="empty-command"),
        pytest.param(["--command", "no_such_program"], "no_such_program: cannot be started", id="program"),
        pytest.param(["conformed:some"], "there is same", id="attribute"),
        pytest.param(["conformed:number"], "neither a function nor an output type, but int", id="number"),
        pytest.param(["conformed:Type"], "is a class", id="class"),
        pytest.param(["conformed:same", "--max-examples", "0"], "give a number from 1", id="no-examples"),
        pytest.param(["conformed:same", "--xfails-file", "absent"], "absent: cannot be read", id="no-file"),
        pytest.param(["conformed:same", "--xfails-file", "echo.py"], "no invariant is named", id="xfail"),
    ],
)
def test_unusable_input_is_one_line(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    assert main(["conform", *arguments]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert message in error


def test_mutants_of_output_types(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    few = {name: OUTPUT_TYPES[name] for name in ("no_name", "returns_none", "knows_no_fence")}
    monkeypatch.setattr("pytest_llmout.conformance.mutants.matrix.OUTPUT_TYPES", few)
    assert main(["mutants", "--only", "output types", "--max-examples", "30", "-o", "matrix.svg"]) == 0
    output = capsys.readouterr().out
    assert "knows_no_fence                       accepts" in output
    assert "3 of 3 killed" in output
    assert (folder / "matrix.svg").read_text("utf-8").startswith("<svg")


def test_a_mutant_that_survives_is_a_finding(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pytest_llmout.conformance.mutants.matrix.OUTPUT_TYPES", {"none_at_all": right})
    assert main(["mutants", "--only", "output types", "--max-examples", "4"]) == 1
    assert "none_at_all                          SURVIVED" in capsys.readouterr().out


def test_a_picture_of_another_kind_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mutants", "-o", "matrix.doc"]) == 2
    assert "a picture ends in .html, .png, .svg" in capsys.readouterr().err
