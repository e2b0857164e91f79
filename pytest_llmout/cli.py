"""The `llmout` command: finds the subcommand, maps every ending to an exit code."""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from importlib import import_module
from importlib.metadata import version
from io import TextIOWrapper
from keyword import iskeyword
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

OK, FINDINGS, USAGE, INTERNAL, INTERRUPTED = 0, 1, 2, 70, 130

COMMANDS = {
    "baseline": "keep the replies that drift is measured against",
    "canon": "print the canonical form of Markdown replies",
    "check": "check JSON replies against a schema",
    "conform": "find texts that a canonicaliser or an output type gets wrong",
    "drift": "compare how two sides write, and gate on it",
    "formats": "list the formats that replies can be imported from",
    "import": "turn what other programs kept into a corpus",
    "mutants": "prove the power of the invariants on planted faults",
    "power": "say how many replies it takes to find a change",
    "profile": "tabulate how the replies of a corpus are written",
    "record": "ask a model the prompts of a file and record its replies",
    "report": "write the dialect report of a corpus as HTML and CSV",
    "surfaces": "count where Slack, GitHub, a page and plain text show replies differently",
}


class Command(Protocol):
    """A module of `pytest_llmout.commands`; its docstring is the help text."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Declare the arguments."""

    def run(self, arguments: argparse.Namespace) -> int:
        """Do the work and return the exit code."""


def main(argv: Sequence[str] | None = None) -> int:  # noqa: PLR0911  one for each ending
    """Run `llmout` and return its exit code: 0 ok, 1 findings, 2 usage, 70 internal, 130 interrupted."""
    words = list(sys.argv[1:] if argv is None else argv)
    if sys.stdout is None:  # closed by the caller (`>&-`)
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115  it lives as long as the process
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # as stderr does: an ASCII terminal shows the rest
    try:
        code = _run(words)
        sys.stdout.flush()  # not left to the interpreter, which would tell of a full disc in its own way
        return code  # noqa: TRY300  the flush belongs to what is guarded
    except UsageError as error:
        print(f"llmout: {error}", file=sys.stderr)
        return USAGE
    except KeyboardInterrupt:
        print("llmout: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        _discard_output()  # the reader of a pipe went away
        return OK
    except OSError as error:  # a full disc; what a command opens by name, it reports by itself
        print(f"llmout: {error.filename or 'the output'}: {error.strerror}", file=sys.stderr)
        _discard_output()
        return USAGE
    except SystemExit as stop:  # argparse: --help, --version, or a usage message already printed
        return stop.code if isinstance(stop.code, int) else OK
    except Exception:  # noqa: BLE001  the last stop before the shell: a fault of ours has an exit code of its own
        traceback.print_exc()
        print("llmout: internal error, please report it with the lines above", file=sys.stderr)
        return INTERNAL


def _run(words: list[str]) -> int:
    if not words or words[0] not in COMMANDS:
        _overview().parse_args(words or ["--help"])
    name, *rest = words
    try:
        module = import_module(
            f"pytest_llmout.commands.{name}_" if iskeyword(name) else f"pytest_llmout.commands.{name}"
        )
    except ModuleNotFoundError as error:
        raise UsageError(f"{name} needs the package {error.name}: pip install 'pytest-llmout[all]'") from error
    command = cast("Command", module)
    parser = argparse.ArgumentParser(
        prog=f"llmout {name}", description=module.__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command.configure(parser)
    return command.run(parser.parse_args(rest))


def _discard_output() -> None:
    """Point stdout elsewhere, which keeps the final flush from complaining again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _overview() -> argparse.ArgumentParser:
    listing = "\n".join(f"  {name:<10} {text}" for name, text in COMMANDS.items())
    parser = argparse.ArgumentParser(
        prog="llmout",
        description="Test and measure the format of language-model replies.",
        epilog=f"commands:\n{listing}\n\n`llmout COMMAND --help` describes one command.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=version("pytest-llmout"))
    parser.add_argument("command", choices=COMMANDS, metavar="command", help="one of the commands below")
    return parser
