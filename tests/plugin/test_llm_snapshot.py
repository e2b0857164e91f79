from __future__ import annotations

import os
from typing import TYPE_CHECKING
from urllib.parse import unquote

import pytest
import syrupy

if TYPE_CHECKING:
    from pathlib import Path

HOSTILE = {
    "crlf": "a\r\nb\r\n",
    "lone-cr": "a\rb",
    "form-feed": "a\x0cb",
    "next-line": "a\x85b",
    "line-separator": "a\u2028b",
    "no-last-line-end": "a\nb",
    "two-trailing-spaces": "a  \nb  ",
    "quote-at-the-end": 'a"""',
    "backslash-at-the-end": "a\\",
    "empty": "",
    "lone-surrogate": "a\ud800b",
    "nul": "a\x00b",
    "bom": "\ufeffa",
    "nfc": "é",
    "nfd": "e\u0301",
}
HOSTILE_TEST = f"""
import pytest

HOSTILE = {HOSTILE!a}

@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_reply(name, llm_snapshot):
    assert llm_snapshot == HOSTILE[name]
"""
ONE_TEST = "def test_reply(llm_snapshot):\n    assert llm_snapshot == {!a}\n"


@pytest.fixture
def snapshots(pytester: pytest.Pytester) -> Path:
    return pytester.path / "__snapshots__"


def stored(folder: Path) -> dict[str, bytes]:
    return {unquote(file.name): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


@pytest.fixture(autouse=True)
def _syrupy_of_the_outer_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the outer run its session back: syrupy keeps it in a global, which the inner run replaces."""
    monkeypatch.setattr(syrupy, "_syrupy", syrupy._syrupy)  # noqa: SLF001  there is no public name


def run(pytester: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    return pytester.runpytest_inprocess("-p", "no:cacheprovider", *arguments)


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["one-process", "xdist"])
def test_every_byte_is_stored_and_compared(
    pytester: pytest.Pytester, snapshots: Path, workers: tuple[str, ...]
) -> None:
    pytester.makepyfile(test_hostile=HOSTILE_TEST)

    run(pytester, *workers, "--snapshot-update").assert_outcomes(passed=len(HOSTILE))

    assert stored(snapshots) == {
        f"test_reply[{name}].canonical": text.encode("utf-8", "surrogatepass") for name, text in HOSTILE.items()
    }
    run(pytester, *workers).assert_outcomes(passed=len(HOSTILE))


@pytest.mark.parametrize(
    ("text", "other", "named"),
    [
        pytest.param("a\r\nb", "a\nb", "line ends", id="crlf"),
        pytest.param("a\n", "a", "the last line end", id="last-line-end"),
        pytest.param("a  \nb", "a\nb", "spaces or tabs at the ends of lines", id="hard-break"),
        pytest.param("é", "e\u0301", "Unicode normalisation", id="normalisation"),
    ],
)
def test_a_difference_that_is_hard_to_see_fails_and_is_named(
    pytester: pytest.Pytester, text: str, other: str, named: str
) -> None:
    pytester.makepyfile(test_one=ONE_TEST.format(text))
    run(pytester, "--snapshot-update").assert_outcomes(passed=1)
    pytester.makepyfile(test_one=ONE_TEST.format(other))
    result = run(pytester, "-vv")

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "E *next: if the received text is right, accept it with `pytest --snapshot-update`",
            f"E *the texts differ in nothing but {named}",
            "E * - the snapshot",
            "E * + received",
        ]
    )


def test_a_missing_snapshot_fails(pytester: pytest.Pytester, snapshots: Path) -> None:
    pytester.makepyfile(test_one=ONE_TEST.format("text"))
    result = run(pytester)

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E *Snapshot 'test_reply' does not exist!"])
    assert not snapshots.exists()


ACCEPTED_TEST = """
from pydantic import BaseModel
from pytest_llmout import accept_output
from pytest_llmout.outputs.json_output import json_output

class Task(BaseModel):
    title: str
    priority: int

def test_reply(llm_snapshot):
    assert llm_snapshot == accept_output(json_output(Task), {!a})
"""


def test_the_canonical_form_is_compared_and_what_was_written_is_kept(
    pytester: pytest.Pytester, snapshots: Path
) -> None:
    pytester.makepyfile(test_one=ACCEPTED_TEST.format('{"title": "Tea",\r\n "priority": 2}'))
    run(pytester, "--snapshot-update").assert_outcomes(passed=1)

    assert stored(snapshots) == {
        "test_reply.canonical": b'{"title":"Tea","priority":2}',
        ".test_reply.as-written": b'{"title": "Tea",\r\n "priority": 2}',
    }

    pytester.makepyfile(test_one=ACCEPTED_TEST.format('{"priority": 2, "title": "Tea"}'))
    run(pytester).assert_outcomes(passed=1)


def test_an_update_drops_what_was_written_once_it_is_canonical(pytester: pytest.Pytester, snapshots: Path) -> None:
    pytester.makepyfile(test_one=ACCEPTED_TEST.format('{"title": "Tea", "priority": 2}'))
    run(pytester, "--snapshot-update").assert_outcomes(passed=1)
    pytester.makepyfile(test_one=ACCEPTED_TEST.format('{"title":"Tea","priority":3}'))
    run(pytester, "--snapshot-update").assert_outcomes(passed=1)

    assert stored(snapshots) == {"test_reply.canonical": b'{"title":"Tea","priority":3}'}


def test_what_holds_no_text_is_refused(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_one=ONE_TEST.format({"a": 1}))
    result = run(pytester, "--snapshot-update")

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E *llm_snapshot compares a str, an Accepted or an Ok, not dict: pass the text of it"])


def test_file_names_are_ascii_and_distinct(pytester: pytest.Pytester, snapshots: Path) -> None:
    pytester.makepyfile(
        test_names="""
        import pytest

        @pytest.mark.parametrize("text", ["今日", "u4eca", "a/b", "ab", "a:b", "x" * 300, "x" * 301])
        def test_name(text, llm_snapshot):
            assert llm_snapshot == text

        def test_今日(llm_snapshot):
            assert llm_snapshot == "function"
        """
    )
    run(pytester, "-W", "error", "--snapshot-update").assert_outcomes(passed=8)

    names = [file.name for file in snapshots.rglob("*.canonical")]
    assert len(names) == 8
    assert all(name.isascii() and len(name) < 255 for name in names)
    result = run(pytester, "-W", "error")
    result.assert_outcomes(passed=8)
    result.stdout.no_fnmatch_line("*unused*")


def test_parallel_updates_lose_nothing(pytester: pytest.Pytester, snapshots: Path) -> None:
    pytester.makepyfile(
        test_many="""
        import pytest

        @pytest.mark.parametrize("number", range(20))
        def test_one(number, llm_snapshot):
            assert llm_snapshot == f"text {number}\\r\\n" * 1000
        """
    )
    run(pytester, "-n", "4", "--snapshot-update").assert_outcomes(passed=20)

    assert stored(snapshots) == {
        f"test_one[{number}].canonical": f"text {number}\r\n".encode() * 1000 for number in range(20)
    }


@pytest.mark.parametrize("workers", [(), ("-n", "2")], ids=["one-process", "xdist"])
@pytest.mark.parametrize(
    "subset",
    [
        pytest.param(("test_two.py::test_a",), id="node"),
        pytest.param(("test_two.py::test_p[1]",), id="parameter"),
        pytest.param(("-k", "test_a"), id="keyword"),
        pytest.param(("test_two.py", "--deselect", "test_two.py::test_b"), id="deselected"),
        pytest.param(("--ignore", "test_two.py"), id="ignored"),
    ],
)
def test_a_subset_leaves_the_rest_alone(
    pytester: pytest.Pytester, snapshots: Path, subset: tuple[str, ...], workers: tuple[str, ...]
) -> None:
    pytester.makepyfile(
        test_one="def test_a(llm_snapshot):\n    assert llm_snapshot == 'one'\n",
        test_two="""
        import pytest

        def test_a(llm_snapshot):
            assert llm_snapshot == "a"

        def test_b(llm_snapshot):
            assert llm_snapshot == "b"

        @pytest.mark.parametrize("number", range(12))
        def test_p(number, llm_snapshot):
            assert llm_snapshot == f"{number}"
        """,
    )
    run(pytester, "--snapshot-update")
    before = stored(snapshots)

    result = run(pytester, *workers, *subset)
    assert result.ret == 0
    result.stdout.no_fnmatch_line("*unused*")
    assert run(pytester, *workers, *subset, "--snapshot-update").ret == 0
    assert stored(snapshots) == before


def test_a_full_run_reports_what_no_test_uses_and_an_update_deletes_both_files(
    pytester: pytest.Pytester, snapshots: Path
) -> None:
    pytester.makepyfile(test_one=ACCEPTED_TEST.format('{"title": "Tea", "priority": 2}') + "\ndef test_b(): pass\n")
    run(pytester, "--snapshot-update").assert_outcomes(passed=2)
    pytester.makepyfile(test_one="def test_b(llm_snapshot):\n    assert llm_snapshot == 'b'\n")

    result = run(pytester, "--snapshot-update-new-only")
    result.stdout.fnmatch_lines(["*1 snapshot unused.*"])
    assert result.ret == 1
    run(pytester, "--snapshot-update").assert_outcomes(passed=1)
    assert stored(snapshots) == {"test_b.canonical": b"b"}


def test_extends_the_snapshot_of_the_project(pytester: pytest.Pytester, snapshots: Path) -> None:
    pytester.makeconftest(
        """
        import pytest

        @pytest.fixture
        def snapshot(snapshot):
            return snapshot(name="named")
        """
    )
    pytester.makepyfile(
        test_one="""
        def test_both(snapshot, llm_snapshot):
            assert snapshot == {"amber": 1}
            assert llm_snapshot == "exact"
        """
    )
    run(pytester, "--snapshot-update").assert_outcomes(passed=1)
    assert set(stored(snapshots)) == {"test_one.ambr", "test_both.canonical"}
    run(pytester).assert_outcomes(passed=1)


def test_files_are_utf8_whatever_the_locale(
    pytester: pytest.Pytester, snapshots: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"}.items():
        monkeypatch.setenv(name, value)
    pytester.makepyfile(test_one=ONE_TEST.format("今日は\r\n"))
    pytester.runpytest_subprocess("--snapshot-update").assert_outcomes(passed=1)

    assert stored(snapshots) == {"test_reply.canonical": "今日は\r\n".encode()}
    pytester.runpytest_subprocess().assert_outcomes(passed=1)


def test_a_failing_megabyte_is_shown_as_a_window(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_one="def test_reply(llm_snapshot):\n    assert llm_snapshot == 'a *b* c\\n' * 130_000\n")
    run(pytester, "--snapshot-update").assert_outcomes(passed=1)
    pytester.makepyfile(test_one="def test_reply(llm_snapshot):\n    assert llm_snapshot == 'a **b** c\\n' * 130_000\n")
    result = run(pytester, "-vv")

    result.assert_outcomes(failed=1)
    assert len(result.outlines) <= 400


def test_without_syrupy_it_says_what_to_install(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_one=ONE_TEST.format("text"))
    result = pytester.runpytest_inprocess("-p", "no:syrupy")

    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines(["E *UsageError: llm_snapshot needs syrupy: pip install 'pytest-llmout[[]snapshot[]]'"])


TEXTS_TEST = """
from pytest_llmout.snapshot import ReplyTextsExtension

def test_replies(llm_snapshot):
    assert llm_snapshot.use_extension(ReplyTextsExtension) == {!a}
"""


def test_many_texts_in_one_file_name_the_one_that_differs(pytester: pytest.Pytester, snapshots: Path) -> None:
    pytester.makepyfile(test_one=TEXTS_TEST.format(HOSTILE))
    run(pytester, "--snapshot-update").assert_outcomes(passed=1)
    assert list(stored(snapshots)) == ["test_replies.texts.jsonl"]
    run(pytester).assert_outcomes(passed=1)

    changed = HOSTILE | {"crlf": "a\nb\n", "new": "new"}
    del changed["nul"]
    pytester.makepyfile(test_one=TEXTS_TEST.format(changed))
    result = run(pytester, "-vv")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            "E *3 of 16 texts differ",
            "E *crlf: different",
            "E *nul: only in the snapshot",
            "E *new: not in the snapshot",
            "E *the first of them, crlf:",
            "E *the texts differ in nothing but line ends",
        ]
    )


@pytest.mark.parametrize("data", ["text", {"name": 1}], ids=["no-mapping", "no-text"])
def test_many_texts_must_be_a_mapping_of_texts(pytester: pytest.Pytester, data: object) -> None:
    pytester.makepyfile(test_one=TEXTS_TEST.format(data))
    result = run(pytester, "--snapshot-update")

    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["E *ReplyTextsExtension compares a mapping of names to str, not *"])


@pytest.mark.skipif(os.name == "nt", reason="Windows has no umask")
def test_files_have_the_permissions_that_the_user_gives_files(pytester: pytest.Pytester, snapshots: Path) -> None:
    pytester.makepyfile(test_one=ONE_TEST.format("text"))
    run(pytester, "--snapshot-update").assert_outcomes(passed=1)
    plain = pytester.path / "plain"
    plain.touch()

    assert (snapshots / "test_one" / "test_reply.canonical").stat().st_mode == plain.stat().st_mode
