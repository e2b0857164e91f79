"""The session as reply records: a corpus, for every command that reads one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_llmout.corpus.record import dump_record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_llmout.harness.asked import Asked


def jsonl_report(asked: Sequence[Asked]) -> str:
    """Return one record a line."""
    return "".join(dump_record(reply.record).decode("utf-8") for reply in asked)
