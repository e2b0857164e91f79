from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

from pytest_llmout import cli

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from pytest_llmout.cli import Command


RUN = "import sys; from pytest_llmout.cli import main; code = main(); sys.stdout.flush(); sys.exit(code)"


def plant(monkeypatch: pytest.MonkeyPatch, run: object) -> None:
    """Make `llmout planted` a command that does this."""

    def configure(parser: ArgumentParser) -> None:
        parser.add_argument("--flag")

    module: Command | ModuleType = ModuleType("pytest_llmout.commands.planted", "A planted command.")
    vars(module).update(configure=configure, run=run)
    monkeypatch.setitem(cli.COMMANDS, "planted", "planted")
    monkeypatch.setitem(sys.modules, "pytest_llmout.commands.planted", module)


def test_without_arguments_it_lists_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([]) == cli.OK
    shown = capsys.readouterr().out
    assert all(f"  {name} " in shown for name in cli.COMMANDS)


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_describes_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([name, "--help"]) == cli.OK
    assert f"usage: llmout {name}" in capsys.readouterr().out


def test_an_unknown_command_lists_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["cannon"]) == cli.USAGE
    assert "canon" in capsys.readouterr().err


def test_the_exit_code_is_what_the_command_returns(monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, lambda _arguments: cli.FINDINGS)
    assert cli.main(["planted"]) == cli.FINDINGS


def test_an_interrupt_has_its_own_exit_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(_arguments: Namespace) -> int:
        raise KeyboardInterrupt

    plant(monkeypatch, interrupted)
    assert cli.main(["planted"]) == cli.INTERRUPTED
    assert capsys.readouterr().err == "llmout: interrupted\n"


def test_a_fault_of_ours_has_its_own_exit_code_and_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plant(monkeypatch, lambda _arguments: 1 // 0)
    assert cli.main(["planted"]) == cli.INTERNAL
    assert "ZeroDivisionError" in capsys.readouterr().err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disc_is_one_line() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(  # noqa: S603  our own words
            [sys.executable, "-c", RUN, "formats"], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert (done.returncode, done.stderr) == (cli.USAGE, b"llmout: the output: No space left on device\n")


def test_a_character_that_the_terminal_lacks_is_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(shown, encoding="ascii"))

    def show(_arguments: Namespace) -> int:
        sys.stdout.write("m · 1")
        sys.stdout.flush()
        return cli.OK

    plant(monkeypatch, show)
    assert cli.main(["planted"]) == cli.OK
    assert shown.getvalue() == b"m \\xb7 1"


def test_a_closed_output_is_no_fault(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"*a* b\n")
    monkeypatch.setattr(sys, "stdout", None)
    assert cli.main(["canon", str(tmp_path / "a.md")]) == cli.OK
    sys.stdout.close()


def test_a_missing_package_is_named_with_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    monkeypatch.delitem(sys.modules, "pytest_llmout.commands.profile", raising=False)
    for name in [name for name in sys.modules if name.startswith("pytest_llmout.dialect")]:
        monkeypatch.delitem(sys.modules, name)
    assert cli.main(["profile"]) == cli.USAGE
    assert capsys.readouterr().err == "llmout: profile needs the package pandas: pip install 'pytest-llmout[all]'\n"
