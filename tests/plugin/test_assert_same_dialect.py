from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_llmout import UsageError
from pytest_llmout.assertions import assert_same_dialect
from pytest_llmout.corpus.record import Model, ReplyRecord
from pytest_llmout.corpus.store import read_records, shipped_corpus, write_records

if TYPE_CHECKING:
    from pathlib import Path

    from plugin_runs import Run


def recorded(*raws: str) -> list[ReplyRecord]:
    return [
        ReplyRecord(id=f"r{n}", prompt_id="p", sample=n, model=Model(name="m"), raw=raw) for n, raw in enumerate(raws)
    ]


def test_fixture_is_the_function(pytester: pytest.Pytester, run: Run) -> None:
    write_records(pytester.path / "baseline.jsonl", recorded("**Bold** words.", "Some **bold** words."))
    pytester.makepyfile(
        """
        def test_same(assert_same_dialect):
            assert_same_dialect("Other **words**.", "baseline.jsonl")

        def test_other(assert_same_dialect):
            assert_same_dialect("Other *words*.", "baseline.jsonl")
        """
    )
    result = run()

    result.assert_outcomes(passed=1, failed=1)
    result.stdout.fnmatch_lines(
        [
            "E * AssertionError: expected a reply in the dialect of the recorded ones",
            "E * + emphasis_star: 1, in none of 2 recorded; *",
            "E * - strong_star: 0, in each of 2 recorded; *",
            "E * the reply, 14 characters: Other·*words*.",
            "E * next: correct the prompt, or record the baseline again if the new habit is welcome",
        ]
    )


def test_each_shipped_reply_has_its_own_dialect() -> None:
    records = [record for record in read_records(shipped_corpus()) if record.configuration == "base"]

    for record in records[:50]:
        if record.finish_reason == "stop":  # what the record knows about a cut reply, its text alone does not say
            assert_same_dialect(record.raw, [record])


def test_a_habit_that_only_some_recorded_replies_have_is_free() -> None:
    baseline = recorded("**Bold** words.", "Plain words.")

    assert_same_dialect("Plain words.", baseline)
    assert_same_dialect("**Bold** words.", baseline)


def test_only_the_named_features_are_looked_at(tmp_path: Path) -> None:
    write_records(tmp_path / "a.jsonl", recorded("- one\n- two\n"))

    assert_same_dialect("1. one\n", tmp_path, ["strong_star"])
    with pytest.raises(AssertionError, match=r"\+ bullet_star: 2, in none of 1 recorded"):
        assert_same_dialect("* one\n* two\n", tmp_path, ["bullet_star"])


def test_misuse_is_named() -> None:
    with pytest.raises(UsageError, match="a baseline needs at least one recorded reply"):
        assert_same_dialect("text", [])
    with pytest.raises(UsageError, match="no dialect feature 'strong_stars'; there is strong_star"):
        assert_same_dialect("text", recorded("text"), ["strong_stars"])
    with pytest.raises(UsageError, match="no such file or folder"):
        assert_same_dialect("text", "gone.jsonl")
