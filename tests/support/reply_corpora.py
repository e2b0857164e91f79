"""Corpora made up for tests."""

from __future__ import annotations

from typing import Any

from pytest_llmout.corpus.record import ReplyRecord


def reply(
    raw: str,
    *,
    prompt: str = "p",
    sample: int = 0,
    model: str | dict[str, str] = "m",
    **fields: Any,  # noqa: ANN401  whatever the record holds
) -> ReplyRecord:
    """Make a record with an id that follows from its place."""
    name = f"{model}/{fields.get('configuration', '')}/{fields.get('time', '')}/{prompt}/{sample}"
    return ReplyRecord.model_validate(
        {
            "id": name,
            "prompt_id": prompt,
            "sample": sample,
            "model": {"name": model} if isinstance(model, str) else model,
            "raw": raw,
            **fields,
        }
    )


def json_reply(raw: str, **fields: Any) -> ReplyRecord:  # noqa: ANN401  whatever the record holds
    """Make a record of a reply that was asked for as an object with a key `a`."""
    return reply(raw, output={"type": "json", "schema": {"type": "object", "required": ["a"]}}, **fields)
