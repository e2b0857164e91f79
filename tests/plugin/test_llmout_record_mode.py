from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_llmout.corpus.store import read_records

if TYPE_CHECKING:
    from plugin_runs import Calls, Recordings, Run

ADVICE = "record it with --llmout-record-mode new_episodes (what is missing) or rewrite (everything)"
TEST = """
from pytest_llmout.outputs.json_output import json_output

REPLIES = {replies!r}

def test_one(llmout):
    for prompt, reply in {asked!r}:
        assert llmout.ask(prompt).raw == reply
"""


def write(pytester: pytest.Pytester, replies: str, **asked: str) -> None:
    """Write a test that asks each prompt and expects its reply, beside a model that gives `replies` in order."""
    pytester.makepyfile(test_one=TEST.format(replies=list(replies), asked=list(asked.items())))


def raws(recordings: Recordings) -> list[str]:
    return [record.raw for record in recordings().get("test_one.jsonl", [])]


def test_none_never_asks_and_writes_nothing(
    pytester: pytest.Pytester, run: Run, scripted: Calls, recordings: Recordings
) -> None:
    write(pytester, "a", A="a")
    result = run()

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "E *test_one.py::test_one/1: there is no reply to it in *test_one.jsonl, and the model is not asked; "
            + ADVICE
        ]
    )
    assert not scripted()
    assert not recordings()
    assert not (pytester.path / "__recordings__").exists()


def test_once_asks_only_for_a_test_without_recording(
    pytester: pytest.Pytester, run: Run, scripted: Calls, recordings: Recordings
) -> None:
    write(pytester, "ab", A="a", B="b")
    run("--llmout-record-mode", "once").assert_outcomes(passed=1)
    run("--llmout-record-mode", "once").assert_outcomes(passed=1)
    assert len(scripted()) == 2

    write(pytester, "c", A="a", B="b", C="c")
    run("--llmout-record-mode", "once").assert_outcomes(failed=1)
    assert raws(recordings) == ["a", "b"]


def test_new_episodes_asks_for_the_rest(
    pytester: pytest.Pytester, run: Run, scripted: Calls, recordings: Recordings
) -> None:
    write(pytester, "a", A="a")
    run("--llmout-record-mode", "new_episodes").assert_outcomes(passed=1)
    write(pytester, "b", A="a", B="b")
    run("--llmout-record-mode", "new_episodes").assert_outcomes(passed=1)

    assert raws(recordings) == ["a", "b"]
    assert len(scripted()) == 2


def test_all_asks_everything_and_keeps_the_rest(
    pytester: pytest.Pytester, run: Run, scripted: Calls, recordings: Recordings
) -> None:
    write(pytester, "ab", A="a", B="b")
    run("--llmout-record-mode", "once").assert_outcomes(passed=1)
    write(pytester, "c", A="c")
    run("--llmout-record-mode", "all").assert_outcomes(passed=1)

    assert raws(recordings) == ["c", "b"]
    assert len(scripted()) == 3


def test_rewrite_asks_everything_and_drops_the_rest(
    pytester: pytest.Pytester, run: Run, scripted: Calls, recordings: Recordings
) -> None:
    write(pytester, "ab", A="a", B="b")
    run("--llmout-record-mode", "once").assert_outcomes(passed=1)
    write(pytester, "c", A="c")
    result = run("--llmout-record-mode", "rewrite", "--llmout-strict")

    assert result.ret == pytest.ExitCode.OK
    assert raws(recordings) == ["c"]
    assert len(scripted()) == 3


@pytest.mark.parametrize("mode", ["all", "rewrite"])
def test_an_outage_costs_no_recording(
    pytester: pytest.Pytester, scripted: Calls, recordings: Recordings, mode: str
) -> None:
    write(pytester, "ab", A="a", B="b")
    pytester.runpytest_inprocess("--llmout-record-mode", "once").assert_outcomes(passed=1)
    write(pytester, "c", A="c", B="d")
    pytester.runpytest_inprocess("--llmout-record-mode", mode).assert_outcomes(failed=1)

    assert raws(recordings) == ["c", "b"]
    assert len(scripted()) == 4


CHANGES = {
    "prompt": ("'Rate this tea.'", ["E *the messages changed:", "E *-    2 | Rate·it.", "E *+    2 | Rate·this·tea."]),
    "role": ("[{'role': 'system', 'content': 'Rate it.'}]", ["E *the messages changed:", "E *-    1 | [[]user]␤"]),
    "parameter": (
        "'Rate it.', parameters={'temperature': 0.7}",
        ["E *the parameter temperature changed: None when recorded, 0.7 now"],
    ),
    "output type": (
        "'Rate it.', output=json_output(int)",
        ["E *the output type changed: markdown when recorded, json now", "E *the schema changed:"],
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_request_does_not_replay_the_old_reply(
    pytester: pytest.Pytester, run: Run, scripted: Calls, change: str
) -> None:
    arguments, lines = CHANGES[change]
    test = "from pytest_llmout.outputs.json_output import json_output\nREPLIES = ['2']\n"
    pytester.makepyfile(test_one=f"{test}def test_one(llmout):\n    llmout.ask('Rate it.')\n")
    run("--llmout-record-mode", "once").assert_outcomes(passed=1)
    pytester.makepyfile(test_one=f"{test}def test_one(llmout):\n    llmout.ask({arguments})\n")
    result = run()

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "E *test_one/1: the request differs from the one recorded in *test_one.jsonl, whose reply is not replayed",
            *lines,
            "E *next: undo the change, or record it with --llmout-record-mode new_episodes * or rewrite *",
        ]
    )
    assert len(scripted()) == 1


def test_a_changed_schema_does_not_replay_the_old_reply(pytester: pytest.Pytester, scripted: Calls) -> None:
    test = """
from pytest_llmout.outputs.json_output import json_output
REPLIES = ['{{"score": 2}}']
def test_one(llmout):
    llmout.ask('Rate it.', output=json_output(dict[str, {}]))
"""
    pytester.makepyfile(test_one=test.format("int"))
    pytester.runpytest_inprocess("--llmout-record-mode", "once").assert_outcomes(passed=1)
    pytester.makepyfile(test_one=test.format("float"))
    result = pytester.runpytest_inprocess()

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E *the schema changed:", 'E *-*"type":·"integer"*', 'E *+*"type":·"number"*'])
    assert len(scripted()) == 1


def test_more_samples_than_recorded(pytester: pytest.Pytester, scripted: Calls) -> None:
    test = "REPLIES = ['a', 'b']\ndef test_one(llmout):\n    llmout.ask('Go.', samples={})\n"
    pytester.makepyfile(test_one=test.format(2))
    pytester.runpytest_inprocess("--llmout-record-mode", "once").assert_outcomes(passed=1)
    pytester.makepyfile(test_one=test.format(3))
    result = pytester.runpytest_inprocess()

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E *test_one/1: sample 3 is asked, 2 recorded in *; record it with *"])
    assert len(scripted()) == 2


def test_a_contract_that_became_stricter(pytester: pytest.Pytester, scripted: Calls) -> None:
    test = """
from pytest_llmout.outputs.json_output import json_output
REPLIES = ['```json\\n1\\n```']
def test_one(llmout):
    llmout.ask('Rate it.', output=json_output(int, extract={!r}))
"""
    pytester.makepyfile(test_one=test.format("fence"))
    pytester.runpytest_inprocess("--llmout-record-mode", "once").assert_outcomes(passed=1)
    pytester.makepyfile(test_one=test.format("none"))
    result = pytester.runpytest_inprocess()

    result.assert_outcomes(failed=1)
    line = "*test_one/1: the last recorded reply is now rejected (syntax, *) and a re-ask is due, which was not *"
    result.stdout.fnmatch_lines([f"E {line}"])
    assert len(scripted()) == 1


def test_a_contract_that_became_more_lenient(pytester: pytest.Pytester, scripted: Calls) -> None:
    test = """
from pytest_llmout.outputs.json_output import json_output
REPLIES = ['```json\\n1\\n```', '2']
def test_one(llmout):
    print("value:", llmout.ask('Rate it.', output=json_output(int, extract={!r})).value)
"""
    pytester.makepyfile(test_one=test.format("none"))
    pytester.runpytest_inprocess("--llmout-record-mode", "once").assert_outcomes(passed=1)
    pytester.makepyfile(test_one=test.format("fence"))
    result = pytester.runpytest_inprocess("-s", "--llmout-report", "report.json")

    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["*value: 1", "1 accepted at once, 0 after a re-ask, 0 rejected"])
    assert len(scripted()) == 2


def test_a_folder_of_recordings_is_a_corpus(pytester: pytest.Pytester, scripted: Calls) -> None:
    pytester.makepyfile(
        """
        import pytest

        REPLIES = ["a", "b"]

        class TestGroup:
            @pytest.mark.parametrize("language", ["de", "日本"])
            def test_one(self, llmout, language):
                llmout.ask(f"In {language}.", samples=2)
        """
    )
    pytester.runpytest_inprocess("--llmout-record-mode", "once").assert_outcomes(passed=2)

    records = list(read_records(pytester.path / "__recordings__"))
    assert len({record.id for record in records}) == len(records) == len(scripted()) == 4
    assert len({(record.prompt_id, record.sample) for record in records}) == 4
    assert all(file.name.isascii() for file in pytester.path.rglob("*.jsonl"))


def test_replays_on_a_read_only_checkout(pytester: pytest.Pytester, run: Run, scripted: Calls) -> None:
    write(pytester, "a", A="a")
    run("--llmout-record-mode", "once").assert_outcomes(passed=1)
    folder = pytester.path / "__recordings__" / "test_one"
    before = {file: file.stat().st_mtime_ns for file in folder.iterdir()}
    for path in [*folder.iterdir(), folder, folder.parent]:
        path.chmod(0o555 if path.is_dir() else 0o444)

    run("-p", "no:cacheprovider").assert_outcomes(passed=1)
    assert {file: file.stat().st_mtime_ns for file in folder.iterdir()} == before
    assert len(scripted()) == 1


def test_a_place_that_cannot_be_written_is_named(pytester: pytest.Pytester, scripted: Calls) -> None:
    write(pytester, "a", A="a")
    (pytester.path / "__recordings__").write_text("in the way", encoding="utf-8")
    result = pytester.runpytest_inprocess("--llmout-record-mode", "once")

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E *test_one.jsonl: cannot be written: *"])
    assert len(scripted()) == 1


def test_a_broken_line_is_named(pytester: pytest.Pytester, scripted: Calls) -> None:
    write(pytester, "a", A="a")
    pytester.runpytest_inprocess("--llmout-record-mode", "once").assert_outcomes(passed=1)
    path = pytester.path / "__recordings__" / "test_one" / "test_one.jsonl"
    path.write_bytes(b"{}\n" + path.read_bytes())
    result = pytester.runpytest_inprocess()

    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(
        ["E *test_one.jsonl:1: not a reply record: *; mend the line, or delete the file and record again"]
    )
    assert len(scripted()) == 1


def test_what_a_kill_left_of_a_line_is_ignored(pytester: pytest.Pytester, scripted: Calls) -> None:
    write(pytester, "a", A="a")
    pytester.runpytest_inprocess("--llmout-record-mode", "once").assert_outcomes(passed=1)
    path = pytester.path / "__recordings__" / "test_one" / "test_one.jsonl"
    path.write_bytes(path.read_bytes() + b'{"version":1,"id":')

    pytester.runpytest_inprocess().assert_outcomes(passed=1)
    assert len(scripted()) == 1


def test_the_header_says_that_a_named_model_is_not_asked(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess("--llmout-model", "llm:gpt")

    result.stdout.fnmatch_lines(["llmout: record mode none, llm:gpt is not asked"])


def test_an_unknown_mode_lists_the_modes(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess("--llmout-record-mode", "often")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*invalid choice: 'often' (choose from *none*once*new_episodes*all*rewrite*)"])


def test_parallel_recording_loses_nothing(pytester: pytest.Pytester, scripted: Calls, recordings: Recordings) -> None:
    pytester.makepyfile(
        """
        import pytest

        REPLIES = ["a" * 10_000, "b"]

        @pytest.mark.parametrize("number", range(20))
        def test_one(llmout, number):
            llmout.ask(f"Number {number}.", samples=2)
        """
    )
    options = ("-n", "4", "-p", "no:syrupy")
    pytester.runpytest_inprocess(*options, "--llmout-record-mode", "once").assert_outcomes(passed=20)

    assert {name: len(records) for name, records in recordings().items()} == {
        f"test_one[{number}].jsonl": 2 for number in range(20)
    }
    pytester.runpytest_inprocess(*options).assert_outcomes(passed=20)
    assert len(scripted()) == 40
