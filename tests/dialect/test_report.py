from __future__ import annotations

import csv
import re
import shutil
import subprocess
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from reply_corpora import json_reply, reply

from pytest_llmout.cli import main
from pytest_llmout.corpus.store import write_records
from pytest_llmout.dialect.evidence import LONGEST, Pair, length_shown, show

if TYPE_CHECKING:
    from pytest_llmout.corpus.record import ReplyRecord

REPORTS = Path(__file__).parents[2] / "reports"
HOSTILE = [
    "<script>document.title='run'</script>",
    "<img src=x onerror=\"document.title='run'\">",
    "</pre></script><script>document.title='run'</script>",
    "{{ 7*7 }}{% raw %}",
    "javascript:document.title='run'",
    "\u202egnp.exe\x00\x1b[31m",
    "\ud800 **x** <!-- ]]> --!> -->",
]
VENDOR = re.compile(r"<script>.*?</script>|'sha256-[^']*'", re.DOTALL)
"""What a new version of Vega may change."""


class Scripts(HTMLParser):
    """The kinds of script in a page, and every address that it names."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.scripts: list[str] = []
        self.addresses: list[str] = []
        self.handlers: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if tag == "script":
            self.scripts.append(named.get("type") or "")
        self.addresses += [named[name] or "" for name in ("src", "href") if name in named]
        self.handlers += [name for name in named if name.startswith("on")]


def hostile_corpus() -> list[ReplyRecord]:
    """Return replies of two configurations of which the second is fenced; every name and text in them is hostile."""
    texts = [HOSTILE[number % len(HOSTILE)] for number in range(40)]
    names = [HOSTILE[0], HOSTILE[2]]
    return [
        json_reply(
            raw if configuration == names[0] else f"```\n{raw}\n```",
            prompt=f"{HOSTILE[1]}{number}",
            configuration=configuration,
            model={"name": HOSTILE[0], "provider": HOSTILE[1]},
            source=HOSTILE[2],
        )
        for configuration in names
        for number, raw in enumerate(texts)
    ]


def page_text(folder: Path) -> str:
    """Return the page with every run of white space as one space."""
    return " ".join((folder / "report.html").read_text("utf-8").split())


def table(folder: Path, caption: str) -> list[list[str]]:
    """Return the cells of a table without its head, row by row."""
    _, _, rest = page_text(folder).partition(f"<caption>{caption}")
    rows = rest.partition("</table>")[0].split("<tr")[2:]
    return [[unescape(cell) for cell in re.findall(r"<td>(.*?)</td>", row)] for row in rows]


@pytest.fixture(scope="module")
def regenerated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reports")
    assert main(["report", "-o", str(folder)]) == 0
    return folder


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    write_records(folder / "corpus.jsonl", hostile_corpus())
    assert main(["report", str(folder / "corpus.jsonl"), "-o", str(folder)]) == 0
    return folder


@pytest.mark.parametrize("name", ["dialect.csv", "drift.csv", "report.html"])
def test_the_committed_report_is_the_one_of_the_shipped_corpus(regenerated: Path, name: str) -> None:
    new, committed = (VENDOR.sub("", (folder / name).read_text("utf-8")) for folder in (regenerated, REPORTS))
    assert new == committed, "run: llmout report -o reports"


def test_the_page_names_no_place_outside_itself(regenerated: Path) -> None:
    page = Scripts((regenerated / "report.html").read_text("utf-8"))
    assert all(address.startswith("#") for address in page.addresses)
    assert page.scripts.count("") == 2


def test_only_its_own_scripts_are_let_run(regenerated: Path) -> None:
    page = (regenerated / "report.html").read_text("utf-8")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy
    assert "default-src 'none'" in policy[1].replace("&#39;", "'")
    assert "unsafe-eval" not in policy[1]
    assert "script-src 'unsafe-inline'" not in policy[1]


def test_the_size_does_not_grow_with_the_replies(regenerated: Path) -> None:
    assert (regenerated / "report.html").stat().st_size < 1_500_000


def test_hostile_replies_are_text(hostile: Path) -> None:
    page = Scripts((hostile / "report.html").read_text("utf-8"))
    assert set(page.scripts) == {"", "application/json"}
    assert page.scripts.count("") == 2
    assert not page.handlers
    assert all(address.startswith("#") for address in page.addresses)


@pytest.mark.skipif(shutil.which("chromium") is None, reason="needs the Debian package chromium")
@pytest.mark.parametrize("corpus", ["regenerated", "hostile"])
def test_a_browser_draws_the_charts_and_runs_nothing_else(
    corpus: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    folder: Path = request.getfixturevalue(corpus)
    result = subprocess.run(  # noqa: S603  a browser on our own page
        [
            shutil.which("chromium") or "",
            *("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"),
            *(f"--user-data-dir={tmp_path}", "--enable-logging=stderr", "--virtual-time-budget=10000", "--dump-dom"),
            f"file://{folder / 'report.html'}",
        ],
        capture_output=True,
        check=True,
        timeout=120,
    )
    page, log = result.stdout.decode(errors="replace"), result.stderr.decode(errors="replace")
    assert "CONSOLE" not in log
    assert "<title>run" not in page
    assert page.count('class="marks"') == page.count("data-chart=") > 1


def test_pictures_are_written_on_request(tmp_path: Path) -> None:
    records = [reply(raw, prompt=f"p{n}", configuration=raw[0]) for raw in ("- a", "* a") for n in range(40)]
    write_records(tmp_path / "corpus.jsonl", records)
    assert main(["report", str(tmp_path / "corpus.jsonl"), "-o", str(tmp_path), "--pictures"]) == 0
    assert (tmp_path / "heat-map.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "slopes-1.svg").read_text("utf-8").startswith("<svg")
    with (tmp_path / "drift.csv").open(encoding="utf-8", newline="") as file:
        verdicts = {row["feature"]: row["verdict"] for row in csv.DictReader(file)}
    assert verdicts == verdicts | {"bullet_dash": "drift", "bullet_star": "drift", "characters": "same"}


def test_lines_that_end_together_share_a_label(tmp_path: Path) -> None:
    records = [reply(raw, prompt=f"p{n}", configuration=raw[0]) for raw in ("a", "- `a` **a** — 🎉") for n in range(40)]
    write_records(tmp_path / "corpus.jsonl", records)
    assert main(["report", str(tmp_path / "corpus.jsonl"), "-o", str(tmp_path), "--baseline", "a"]) == 0
    labels = [label for label in re.findall(r'"label": "([^"]*)"', page_text(tmp_path)) if label]
    assert "<h5>-: 1 span</h5>" in page_text(tmp_path)
    assert labels == ["bullet_dash, characters, code_span and 4 more", "paragraphs"]


def test_the_baseline_of_a_report_can_be_chosen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = str(tmp_path / "corpus.jsonl")
    write_records(Path(corpus), [reply("a", prompt="p", configuration=name) for name in ("one", "two")])
    assert main(["report", corpus, "-o", str(tmp_path), "--baseline", "two"]) == 0
    assert "one against two" in (tmp_path / "report.html").read_text("utf-8")
    assert main(["report", corpus, "-o", str(tmp_path), "--baseline", "three"]) == 2
    assert "no group three: choose the baseline from one, two" in capsys.readouterr().err


def test_one_group_makes_a_report_without_comparisons(tmp_path: Path) -> None:
    write_records(tmp_path / "corpus.jsonl", [reply("a"), reply("- b", prompt="q")])
    assert main(["report", str(tmp_path / "corpus.jsonl"), "-o", str(tmp_path)]) == 0
    assert "<h1>All surfaces show 2 replies alike</h1>" in page_text(tmp_path)


def test_without_drift_the_headline_tells_what_it_could_not(tmp_path: Path) -> None:
    write_records(tmp_path / "corpus.jsonl", [reply("*a*", prompt="p", configuration=name) for name in ("one", "two")])
    assert main(["report", str(tmp_path / "corpus.jsonl"), "-o", str(tmp_path)]) == 0
    lead = "No drift in 1 comparison; 3 of 3 looks at a feature had too few replies to tell"
    assert f"<h1>{lead}</h1>" in page_text(tmp_path)


def test_earlier_attempts_are_told_by_kind(tmp_path: Path) -> None:
    attempt = {"raw": "no", "kind": "syntax", "reason": "not_json", "observed": "no JSON"}
    write_records(tmp_path / "corpus.jsonl", [json_reply('{"a": 1}', attempts=[attempt]), json_reply("{}", sample=1)])
    assert main(["report", str(tmp_path / "corpus.jsonl"), "-o", str(tmp_path)]) == 0
    found = table(tmp_path, "Replies that were asked for as JSON")
    assert found == [["1", "schema", "validation", "1"], ["1", "syntax", "not_json", "1"], ["2", "ok", "-", "1"]]


def test_surfaces_that_disagree_are_counted_and_named(tmp_path: Path) -> None:
    one, nested = reply("*a* <b>"), reply("*b **c** d*", prompt="<script>q</script>")
    write_records(tmp_path / "corpus.jsonl", [one, nested, reply("e", prompt="r")])
    assert main(["report", str(tmp_path / "corpus.jsonl"), "-o", str(tmp_path)]) == 0
    assert "<h1>Surfaces disagree about 2 of 3 replies as written, about 1 in canonical form" in page_text(tmp_path)
    assert "in 2 of 3 replies as written, and in 1 in canonical form" in page_text(tmp_path)
    assert table(tmp_path, "Replies and places")[:2] == [
        ["nested", "1", "3", "1", "3"],
        ["not provable", "1", "1", "0", "0"],
    ]
    assert table(tmp_path, "Some of these replies") == [
        [nested.id, "b", "bold", "italic", "italic", "italic", "nested", "disagrees"],
        [one.id, "a", "bold", "italic", "italic", "italic", "not provable", "agrees"],
    ]


def test_surfaces_that_agree_are_told_without_a_table(tmp_path: Path) -> None:
    write_records(tmp_path / "corpus.jsonl", [reply("**a**")])
    assert main(["report", str(tmp_path / "corpus.jsonl"), "-o", str(tmp_path)]) == 0
    assert "Surfaces</a> disagree about no reply." in page_text(tmp_path)
    assert "show the same words as bold, italic, struck, code and linked in every reply." in page_text(tmp_path)
    assert "by reason" not in page_text(tmp_path)


def test_evidence_marks_what_only_one_side_has() -> None:
    one, other = reply("a b c", model="one"), reply("a x c", model="two")
    shown = show(Pair("p", one.id, other.id, (0, 1)), {one.id: one, other.id: other})
    assert shown.baseline == (("a ", False), ("b", True), (" c", False))
    assert shown.candidate == (("a ", False), ("x", True), (" c", False))
    assert shown.canonical == (None, None)


def test_many_pairs_make_do_with_shorter_replies() -> None:
    assert length_shown(0) == length_shown(9) == LONGEST
    assert max(2 * pairs * length_shown(pairs) for pairs in range(1, 5_000)) <= 500_000


def test_evidence_cuts_long_replies() -> None:
    record = reply("word " * 10_000)
    shown = show(Pair("p", record.id, record.id, (0, 0)), {record.id: record})
    assert sum(len(text) for text, _ in shown.baseline) < LONGEST + 10
