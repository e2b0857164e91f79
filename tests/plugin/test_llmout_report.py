from __future__ import annotations

import csv
import json
from html.parser import HTMLParser
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from pytest_llmout.corpus.store import read_records

if TYPE_CHECKING:
    from plugin_runs import Calls, Run

HOSTILE = "a|b\r\n<script>alert(1)</script>\x00\ud800 `*x*` ]]> 日本"
TEST = f"""
from pytest_llmout.outputs.json_output import json_output

REPLIES = [{HOSTILE!a}, "1"]

def test_text(llmout):
    llmout.ask("Say it.")

def test_number(llmout):
    llmout.ask("Rate it.", output=json_output(int, max_retries=1))
"""


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert not any(name.startswith("on") for name, _ in attrs)
        self.tags.append(tag)


@pytest.fixture(autouse=True)
def _recorded(pytester: pytest.Pytester, scripted: Calls) -> None:
    pytester.makepyfile(test_one=TEST)
    pytester.runpytest_inprocess("-p", "no:syrupy", "--llmout-record-mode", "once").assert_outcomes(passed=2)
    assert len(scripted()) == 3


def test_every_format_holds_every_reply(pytester: pytest.Pytester, run: Run) -> None:
    names = [f"out/report.{suffix}" for suffix in ("csv", "html", "json", "jsonl", "md", "xml")]
    run(*(argument for name in names for argument in ("--llmout-report", name))).assert_outcomes(passed=2)
    folder = pytester.path / "out"
    shown = "a|b\r\n<script>alert(1)</script>\x00\\ud800 `*x*` ]]> 日本"

    with (folder / "report.csv").open(encoding="utf-8", newline="") as file:
        number, text = csv.DictReader(file)
    assert (number["test"], number["outcome"], number["attempts"]) == ("test_one.py::test_number", "re-asked", "2")
    assert (text["raw"], text["output"]) == (shown, "markdown")

    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    assert report["totals"] == {"replies": 2, "accepted": 1, "re-asked": 1, "rejected": 0}
    assert report["replies"][1]["raw"] == HOSTILE

    assert [record.raw for record in read_records(folder / "report.jsonl")] == ["1", HOSTILE]

    markdown = (folder / "report.md").read_text(encoding="utf-8").split("\n")
    assert markdown[:2] == ["- 2 replies, 2 of them replayed", "- 1 accepted at once, 1 after a re-ask, 0 rejected"]
    assert {line.count("|") for line in markdown if line.startswith("|")} == {10}

    root = ET.fromstring((folder / "report.xml").read_text(encoding="utf-8"))  # noqa: S314  our own report
    assert [reply.get("test") for reply in root] == ["test_one.py::test_number", "test_one.py::test_text"]

    page = Tags()
    page.feed((folder / "report.html").read_text(encoding="utf-8"))
    assert page.tags.count("details") == 2
    assert "script" not in page.tags


def test_a_session_without_replies_has_empty_reports(pytester: pytest.Pytester) -> None:
    reports = ("--llmout-report", "report.csv", "--llmout-report", "report.json")
    pytester.runpytest_inprocess("-k", "nothing", *reports)

    assert (pytester.path / "report.csv").read_text(encoding="utf-8").startswith("test,prompt_id,")
    assert json.loads((pytester.path / "report.json").read_text(encoding="utf-8"))["totals"]["replies"] == 0


def test_an_unknown_suffix_lists_the_known_ones(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess("--llmout-report", "report.pdf")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(
        ["ERROR: --llmout-report report.pdf: the suffix must be one of .csv .html .json .jsonl .md .xml"]
    )


def test_a_place_that_cannot_be_written_is_named_and_the_results_are_shown(pytester: pytest.Pytester, run: Run) -> None:
    (pytester.path / "taken").write_text("", encoding="utf-8")
    result = run("--llmout-report", "taken/report.md")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["--llmout-report *taken/report.md: cannot be written: *", "2 replies, *"][::-1])
