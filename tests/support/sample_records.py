"""Reply records for tests of what reads and writes them."""

from __future__ import annotations

from pytest_llmout.corpus.record import ReplyRecord


def sample_record(number: int = 0, raw: str = "**Approve.**", **fields: object) -> ReplyRecord:
    """Return a small record whose id holds the number."""
    return ReplyRecord.model_validate(
        {"id": f"prompt/{number}", "prompt_id": "prompt", "sample": number, "model": {"name": "model"}, "raw": raw}
        | fields
    )
