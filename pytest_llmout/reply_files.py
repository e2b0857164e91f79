"""Reading replies that a user names on the command line."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pytest_llmout.corpus.store import read_records
from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator


class Reply(NamedTuple):
    """A reply and where it stands."""

    where: str
    raw: str


def read_replies(name: str, *, lines: bool = False) -> Iterator[Reply]:
    """Yield the replies of a file: those of its reply records if it is `.jsonl`, else its lines or its whole text.

    Raises:
        UsageError: It cannot be read, or holds a line that is no reply record.
    """
    if lines:
        for number, line in enumerate(read_reply(name).split("\n"), start=1):
            if line:
                yield Reply(f"{name}:{number}", line)
    elif name.endswith(".jsonl"):
        for record in read_records(Path(name)):
            yield Reply(f"{name}: {record.id}", record.raw)
    else:
        yield Reply(name, read_reply(name))


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
