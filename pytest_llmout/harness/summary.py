"""The replies of a session in a few lines."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pytest_llmout.harness.asked import Asked


def summary_lines(asked: Sequence[Asked]) -> Iterator[str]:
    """Say how many replies there were, how many were accepted and when, and why the others were rejected."""
    outcomes = Counter(reply.outcome for reply in asked)
    replayed = sum(reply.replayed for reply in asked)
    yield f"{_count(len(asked), 'reply', 'replies')}, {replayed} of them replayed"
    accepted = f"{outcomes['accepted']} accepted at once, {outcomes['re-asked']} after a re-ask"
    yield f"{accepted}, {outcomes['rejected']} rejected"
    reasons = Counter((reply.failure.kind.value, reply.failure.reason) for reply in asked if reply.failure)
    for (kind, reason), count in sorted(reasons.items()):
        yield f"{count} rejected: {kind} ({reason})"


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
