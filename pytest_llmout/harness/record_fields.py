"""The fields of a reply record that come from the model and from the contract."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_llmout.contract import Accepted, Rejected
from pytest_llmout.corpus.record import FailedAttempt, Model, ReplyRecord

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_llmout.corpus.models import AskableModel, ModelReply


def model_fields(model: AskableModel, reply: ModelReply | None) -> dict[str, Any]:
    """Return what is known of the model that gave a reply."""
    served = (reply and reply.model) or model.name
    described = Model(
        name=served,
        requested=model.name if served != model.name else None,
        provider=model.provider,
        revision=reply.revision if reply else None,
    )
    return {"model": described, "finish_reason": reply.finish_reason if reply else None}


def judged_fields(outcome: Accepted[Any] | Rejected, redact: Callable[[str], str]) -> dict[str, Any]:
    """Return what a call came to, redacted: the last reply, the ones before it, the canonical text."""
    attempts = tuple(
        FailedAttempt(
            raw=redact(attempt.raw),
            kind=attempt.failure.kind,
            reason=attempt.failure.reason,
            observed=redact(attempt.failure.observed),
        )
        for attempt in outcome.history
    )
    fields = {"raw": redact(outcome.raw), "attempts": attempts, "canonical": None, "changed": None}
    if isinstance(outcome, Rejected):
        return fields
    return fields | {"canonical": redact(outcome.canonical), "changed": outcome.changed}


def judged_again(record: ReplyRecord, outcome: Accepted[Any] | Rejected, redact: Callable[[str], str]) -> ReplyRecord:
    """Return a replayed record with what its replies come to now: the contract may have changed since."""
    fields = {**record.model_dump(by_alias=True), **judged_fields(outcome, redact), "sha256": ""}
    return ReplyRecord.model_validate(fields)
