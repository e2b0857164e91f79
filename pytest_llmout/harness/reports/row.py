"""One reply as a row of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_llmout.harness.asked import Asked

Cell = str | int | bool | None


def row_of(asked: Asked) -> dict[str, Cell]:
    """Return the columns that every report has, in their order; None is what does not apply."""
    record, failure = asked.record, asked.failure
    return {
        "test": asked.test,
        "prompt_id": record.prompt_id,
        "sample": record.sample,
        "model": record.model.name,
        "output": record.output.type if record.output else None,
        "outcome": asked.outcome,
        "attempts": len(record.attempts) + 1,
        "kind": failure.kind.value if failure else None,
        "reason": failure.reason if failure else None,
        "observed": failure.observed if failure else None,
        "changed": record.changed,
        "replayed": asked.replayed,
        "raw": record.raw,
        "canonical": record.canonical,
    }
