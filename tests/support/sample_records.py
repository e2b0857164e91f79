"""Reply records for tests of what reads and writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_llmout.corpus.record import ReplyRecord
from pytest_llmout.corpus.writer import RecordWriter

if TYPE_CHECKING:
    from pathlib import Path


def sample_record(number: int = 0, raw: str = "**Approve.**", **fields: object) -> ReplyRecord:
    """Return a small record whose id holds the number."""
    return ReplyRecord.model_validate(
        {"id": f"prompt/{number}", "prompt_id": "prompt", "sample": number, "model": {"name": "model"}, "raw": raw}
        | fields
    )


def append_samples(path: Path, numbers: range) -> None:
    """Append a long record for each number, opening the file anew for each; a process can start here."""
    for number in numbers:
        with RecordWriter(path) as writer:
            writer.append(sample_record(number, "x" * 5_000))
