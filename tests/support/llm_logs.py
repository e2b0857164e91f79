"""Logs that llm itself writes, of models made up for tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import llm
import sqlite_utils
from llm.migrations import migrate

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class SaysModel(llm.Model):
    """Answers with what it was given, and says why it stopped as OpenAI does."""

    can_stream = False
    supports_schema = True

    def __init__(self, text: str, finish: str = "stop") -> None:
        self.model_id = "says"
        self._text, self._finish = text, finish

    def execute(self, prompt: Any, stream: bool, response: Any, conversation: Any) -> Iterator[str]:  # noqa: ANN401, ARG002, FBT001  llm's own signature
        response.response_json = {"choices": [{"finish_reason": self._finish}]}
        response.set_resolved_model("says-2026")
        yield self._text


def write_logs(folder: Path, replies: list[tuple[str, str]]) -> Path:
    """Log a conversation in which these texts were the replies, each with why it ended."""
    path = folder / "logs.db"
    database = sqlite_utils.Database(path)
    migrate(database)  # type: ignore[no-untyped-call]  # llm leaves it untyped
    conversation = llm.Conversation(model=SaysModel(""))
    for number, (text, finish) in enumerate(replies):
        conversation.model = SaysModel(text, finish)
        schema = {"type": "object"} if text.startswith("{") else None
        response = conversation.prompt(
            f"Question {number}?", system="Be brief." if number == 0 else None, schema=schema
        )
        response.text()
        response.log_to_db(database)  # type: ignore[no-untyped-call]  # likewise
    database.close()
    return path


def printed_logs(folder: Path) -> list[dict[str, Any]]:
    """Return what `llm logs --json` prints for a folder with `logs.db`, newest first."""
    command = [sys.executable, "-m", "llm", "logs", "list", "--json", "-n", "0", "-d", str(folder / "logs.db")]
    environment = {**os.environ, "LLM_USER_PATH": str(folder), "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(command, env=environment, check=True, capture_output=True)  # noqa: S603  our own arguments
    printed: list[dict[str, Any]] = json.loads(done.stdout)
    return printed
