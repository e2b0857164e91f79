"""Reading replies that a user names on the command line."""

from __future__ import annotations

import sys
from pathlib import Path

from pytest_llmout.errors import UsageError


def read_reply(name: str) -> str:
    """Return the text of a file, or of standard input for `-`, exactly as its bytes say.

    Raises:
        UsageError: It cannot be read, or is not UTF-8 text.
    """
    try:
        return (sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()).decode()
    except OSError as error:
        raise UsageError(f"{name}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{name}: not UTF-8 text (byte {error.start + 1})") from error
