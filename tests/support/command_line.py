"""Running `llmout` as a user does."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ENTRY = "import sys; from pytest_llmout.cli import main; sys.exit(main())"


def start_llmout(
    *arguments: object, cwd: Path, stderr: int = subprocess.PIPE, stdin: int | None = None
) -> subprocess.Popen[str]:
    """Start the command in a folder, with the modules of `tests/support` importable."""
    path = os.pathsep.join([str(Path(__file__).parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    return subprocess.Popen(  # noqa: S603  our own command, with the arguments of a test
        [sys.executable, "-c", ENTRY, *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": path},
        stdin=stdin,
        stdout=subprocess.PIPE,
        stderr=stderr,
        encoding="utf-8",
    )


def run_llmout(*arguments: object, cwd: Path) -> tuple[int, str, str]:
    """Run the command and return its exit code, standard output and standard error."""
    with start_llmout(*arguments, cwd=cwd) as process:
        output, error = process.communicate()
    return process.returncode, output, error
