"""OpenAI Batch output: chat completions and responses, a line each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_llmout.corpus.importers.fields import FAILED, NO_REPLY, at, has, word
from pytest_llmout.corpus.importers.openai_reply import replies_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_llmout.corpus.importers.importer import Draft, Skipped
    from pytest_llmout.corpus.importers.source import Fields, Peek, Source


def detect(peek: Peek) -> bool:
    """Return whether the first line holds the answer to a request of a batch."""
    return has(peek.first, "custom_id", "response")


def read(source: Source) -> Iterator[Draft | Skipped]:
    """Yield a reply for each choice of each answer; a request that failed is skipped."""
    return source.mapped(_replies)


def _replies(line: Any) -> Iterator[Fields | str]:  # noqa: ANN401  JSON
    response = at(line, "response")
    if at(line, "error") or at(response, "status_code") not in (200, None):
        yield FAILED
        return
    replies = list(replies_of(at(response, "body")))
    for reply in replies:
        yield {"prompt_id": word(at(line, "custom_id")), "fidelity": "exact", **reply}
    if not replies:
        yield NO_REPLY
