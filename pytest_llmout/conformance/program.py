"""A canonicaliser in any language: a program that answers each line of JSON with a line of JSON."""

from __future__ import annotations

import json
import shlex
import subprocess
from tempfile import TemporaryFile
from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING, Self

from pytest_llmout.conformance.case import Subject
from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    from types import TracebackType


class ProgramError(Exception):
    """The program ended, or answered something that is not a line of JSON."""


class Program:
    """A program that is given each text as a JSON string in a line, and answers with one.

    It is started again for the text after one at which it ended.
    """

    def __init__(self, command: str) -> None:
        self._words = shlex.split(command)
        if not self._words:
            raise UsageError("--command is empty: give a program that answers a line of JSON with a line of JSON")
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = Lock()
        self._complaints = TemporaryFile()  # noqa: SIM115  closed with the program

    def __enter__(self) -> Self:
        self._start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()
        self._complaints.close()

    def subject(self) -> Subject:
        """Return it as what the invariants look at; its own time is not that of this process."""
        return Subject(self.canonicalize, clock=perf_counter)

    def canonicalize(self, raw: str) -> object:
        """Return what the program answers; lone surrogates travel as JSON escapes.

        Raises:
            ProgramError: There was no answer.
        """
        with self._lock:  # threads take turns: there is one pipe
            return self._answer(raw)

    def _answer(self, raw: str) -> object:
        process = self._process or self._start()
        if process.stdin is None or process.stdout is None:  # both are pipes
            raise AssertionError
        try:
            process.stdin.write(json.dumps(raw).encode() + b"\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except BrokenPipeError:
            line = b""
        if not line.endswith(b"\n"):
            self._stop()
            raise ProgramError(f"the program ended: {self._last_complaint()}")
        try:
            return json.loads(line)
        except ValueError:
            raise ProgramError(f"answered {line[:80]!r}, which is not a line of JSON") from None

    def _last_complaint(self) -> str:
        self._complaints.seek(0)
        errors = [line for line in self._complaints.read().decode(errors="replace").split("\n") if "Error" in line]
        return errors[-1].strip() if errors else "it says no error on standard error"

    def _start(self) -> subprocess.Popen[bytes]:
        try:
            self._process = subprocess.Popen(  # noqa: S603  the user's own command
                self._words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._complaints
            )
        except OSError as error:
            self._complaints.close()
            raise UsageError(f"{self._words[0]}: cannot be started: {error.strerror}") from error
        return self._process

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()
