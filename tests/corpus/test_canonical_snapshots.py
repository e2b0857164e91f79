"""The canonical form of every shipped reply, byte for byte: what a change of a rule changes, shows here."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_llmout import Ok, canonicalize_markdown
from pytest_llmout.corpus.store import corpus_files, read_records, shipped_corpus
from pytest_llmout.dialect.judgement import judge
from pytest_llmout.snapshot import ReplyTextsExtension

if TYPE_CHECKING:
    from pathlib import Path

    from syrupy.assertion import SnapshotAssertion

    from pytest_llmout.corpus.record import ReplyRecord

FILES = corpus_files(shipped_corpus())


@pytest.mark.parametrize("file", FILES, ids=[f"{file.parent.name}-{file.stem}" for file in FILES])
def test_canonical_form(file: Path, llm_snapshot: SnapshotAssertion) -> None:
    canonical = {record.id: canonical_or_failure(record) for record in read_records(file)}

    assert llm_snapshot.use_extension(ReplyTextsExtension) == canonical


def canonical_or_failure(record: ReplyRecord) -> str:
    judgement = judge(record.raw, record.output)
    if judgement is None:
        return canonicalize_markdown(record.raw)
    if isinstance(judgement.outcome, Ok):
        return judgement.outcome.canonical
    return f"{judgement.outcome.kind} failure ({judgement.outcome.reason})"
