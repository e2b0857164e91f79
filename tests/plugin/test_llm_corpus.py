from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_llmout.corpus.record import Model, ReplyRecord
from pytest_llmout.corpus.store import read_records, shipped_corpus, write_records

if TYPE_CHECKING:
    from plugin_runs import Run

TEST = """
import pytest

@pytest.mark.llm_corpus({arguments})
def test_reply(llm_reply):
    assert llm_reply.raw != "bad"
"""


@pytest.fixture(autouse=True)
def _corpus(pytester: pytest.Pytester) -> None:
    def record(name: str, model: str, raw: str) -> ReplyRecord:
        return ReplyRecord(
            id=f"{model}/{name}", prompt_id=name, family=name.partition("-")[0], model=Model(name=model), raw=raw
        )

    write_records(
        pytester.path / "replies" / "a.jsonl", [record("list-1", "old", "good"), record("table-1", "old", "bad")]
    )
    write_records(
        pytester.path / "replies" / "b.jsonl", [record("list-1", "new", "good"), record("list-2", "new", "bad")]
    )


@pytest.mark.parametrize(
    ("arguments", "passed", "failed"),
    [
        pytest.param('"replies"', 2, 2, id="folder"),
        pytest.param('"replies/a.jsonl"', 1, 1, id="file"),
        pytest.param('"replies/*.jsonl"', 2, 2, id="glob"),
        pytest.param('"**/b.jsonl"', 1, 1, id="recursive-glob"),
        pytest.param('"replies", model="new"', 1, 1, id="model"),
        pytest.param('"replies", family="table"', 0, 1, id="family"),
        pytest.param('"replies", family="list", limit=2', 2, 0, id="limit"),
    ],
)
def test_a_test_runs_on_each_reply(pytester: pytest.Pytester, arguments: str, passed: int, failed: int) -> None:
    pytester.makepyfile(TEST.format(arguments=arguments))

    pytester.runpytest_inprocess().assert_outcomes(passed=passed, failed=failed)


def test_a_reply_is_named_by_its_id(pytester: pytest.Pytester, run: Run) -> None:
    pytester.makepyfile(test_one=TEST.format(arguments='"replies"'))
    result = run("-rf")

    result.assert_outcomes(passed=2, failed=2)
    result.stdout.fnmatch_lines_random(
        ["FAILED test_one.py::test_reply[[]old/table-1[]]*", "FAILED test_one.py::test_reply[[]new/list-2[]]*"]
    )


def test_without_a_path_it_is_the_corpus_that_ships(pytester: pytest.Pytester) -> None:
    first = next(read_records(shipped_corpus()))
    pytester.makepyfile(TEST.format(arguments=f"family={first.family!r}, limit=3"))

    pytester.runpytest_inprocess().assert_outcomes(passed=3)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param('"gone"', "*/gone: no such file or folder, and no file that this pattern matches", id="path"),
        pytest.param('"gone/*.jsonl"', "*/gone/[*].jsonl: no such file or folder, and no file *", id="glob"),
        pytest.param('"replies", model="odl"', "no reply has the model 'odl'; there is old", id="model"),
        pytest.param('"replies", family="lists"', "no reply has the family 'lists'; there is list", id="family"),
        pytest.param('"a", "b"', "the marker takes one path or glob, and model, family and limit by *", id="paths"),
        pytest.param('"a", models="b"', "the marker takes one path or glob, * by name, not 'a', models", id="option"),
        pytest.param('"broken.jsonl"', "*broken.jsonl:1: not JSON: *", id="broken-line"),
    ],
)
def test_a_corpus_that_cannot_be_used_is_named(pytester: pytest.Pytester, arguments: str, message: str) -> None:
    (pytester.path / "broken.jsonl").write_text("{", encoding="utf-8")
    pytester.makepyfile(test_one=TEST.format(arguments=arguments))
    result = pytester.runpytest_inprocess()

    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([f"*test_one.py::test_reply: llm_corpus: {message}"])
    result.stdout.no_fnmatch_line("*Traceback*")


def test_the_fixture_without_the_marker_says_so(pytester: pytest.Pytester, run: Run) -> None:
    pytester.makepyfile("def test_reply(llm_reply):\n    pass\n")
    result = run()

    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["E *llm_reply needs a corpus: mark the test with @pytest.mark.llm_corpus(*)"])
