from __future__ import annotations

import csv
import json
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd
import pytest
from command_line import start_llmout
from reply_corpora import json_reply, reply

from pytest_llmout.cli import main
from pytest_llmout.corpus.store import write_records
from pytest_llmout.dialect.profile import COLUMNS

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_llmout.corpus.record import ReplyRecord

BARE, FENCED = '{"a": 1}', '```json\n{"a": 1}\n```'


def night(day: int, raw: str, *, configuration: str = "base", n: int = 40) -> list[ReplyRecord]:
    time = f"2026-01-{day:02}T00:00:00Z"
    return [json_reply(raw, prompt=f"p{i:02}", configuration=configuration, time=time) for i in range(n)]


@pytest.fixture
def corpus(tmp_path: Path) -> Callable[..., str]:
    def write(name: str, *records: list[ReplyRecord]) -> str:
        write_records(tmp_path / name, [record for part in records for record in part])
        return str(tmp_path / name)

    return write


def test_profile_prints_shares_and_writes_rows(
    corpus: Callable[..., str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = corpus("a.jsonl", night(1, FENCED), night(1, BARE, configuration="hint"))
    assert main(["profile", path, "-o", str(tmp_path / "rows.csv")]) == 0
    out = capsys.readouterr().out
    assert out.startswith("m · 2026-01-01: share of replies that show each feature")
    assert ["json_fenced", "100.0%", "0.0%"] in [line.split() for line in out.split("\n")]
    with (tmp_path / "rows.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 80
    assert {row["json_fenced"] for row in rows} == {"0", "1"}


def test_profile_writes_parquet(corpus: Callable[..., str], tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="comes with the extra scale")
    target = tmp_path / "rows.parquet"
    assert main(["profile", corpus("a.jsonl", night(1, FENCED)), "-o", str(target)]) == 0
    frame = pd.read_parquet(target)
    assert tuple(frame.columns) == COLUMNS
    assert frame["json_fenced"].tolist() == [1] * 40


@pytest.mark.parametrize("suffix", ["json", "jsonl"])
def test_profile_writes_strict_json(corpus: Callable[..., str], tmp_path: Path, suffix: str) -> None:
    path = corpus("a.jsonl", [reply("a", prompt="é"), reply("b", prompt="=1")])
    target = tmp_path / f"rows.{suffix}"
    assert main(["profile", path, "-o", str(target)]) == 0
    text = target.read_text(encoding="utf-8")
    rows = json.loads(text) if suffix == "json" else [json.loads(line) for line in text.split("\n") if line]
    assert [row["prompt_id"] for row in rows] == ["é", "=1"]
    assert rows[0]["json_ok"] is None


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["profile", "missing.jsonl"], "missing.jsonl: no such file or folder"),
        (["profile", "a.jsonl", "-o", "rows.xyz"], "rows.xyz: cannot write .xyz: use .csv, .json, .jsonl, .parquet"),
        (["profile", "a.jsonl", "-o", "a.jsonl/rows.csv"], "a.jsonl/rows.csv: cannot be written: "),
        (["profile", "a.jsonl", "--by", "colour"], "cannot group by colour: choose from model"),
        (["profile", "empty.jsonl"], "no replies to summarise: the corpus is empty"),
        (["profile", "broken.jsonl"], "broken.jsonl:1: not JSON"),
        (["profile", "half.jsonl", "--strict"], "half.jsonl:1: not JSON"),
        (["report", "binary.jsonl"], "binary.jsonl:1: not UTF-8"),
        (["report", "a.jsonl", "-o", "a.jsonl"], "a.jsonl: cannot be written: "),
        (["drift", "a.jsonl", "a.jsonl", "-o", "a.jsonl/x"], "a.jsonl/x: cannot be written: "),
        (["baseline", "update", "a.jsonl", "--file", "a.jsonl/x"], "a.jsonl/x: cannot be written: "),
        (["drift", "a.jsonl", "broken.jsonl", "--strict"], "broken.jsonl:1: not JSON"),
        (["drift", "a.jsonl", "empty.jsonl"], "empty.jsonl: no replies there"),
        (["drift", "a.jsonl", "a.jsonl::model=x"], "a.jsonl::model=x: no reply with model=x; there are m"),
        (["drift", "a.jsonl", "a.jsonl::colour=x"], "a.jsonl::colour=x: cannot group by colour"),
        (["drift", "two.jsonl", "a.jsonl::configuration=base"], "the baseline of m · base holds replies of 2 days"),
        (
            ["drift", "a.jsonl", "others.jsonl"],
            "no group of the candidate (m · x; m · y) is in the baseline",
        ),
        (["drift", "a.jsonl", "a.jsonl", "--look", "0"], "--look 0: the first comparison is 1"),
        (["drift", "missing.json", "a.jsonl"], "missing.json: cannot be read: No such file or directory"),
        (["drift", "other.json", "a.jsonl"], "other.json: not a baseline: version: Field required"),
        (["drift", "binary.json", "a.jsonl"], "binary.json: not a baseline: Invalid JSON"),
        (["baseline", "update"], "`baseline update` and `baseline prune` take a corpus"),
        (["baseline", "show"], "llmout-baseline.json: cannot be read: No such file or directory"),
        (["power", "0.2"], "say --to RATE, --pairs N, or both"),
        (["power", "2", "--pairs", "9"], "RATE 2.0: must lie between 0 and 1"),
        (["power", "0.2", "--to", "0.2"], "--to 0.2: is the rate itself"),
        (["power", "0.2", "--pairs", "0"], "--features and --pairs count from 1"),
        (["power", "0.2", "--pairs", "100001"], "--pairs 100001: more than 100000 are not worked out"),
        (["drift", "a.jsonl", "a.jsonl::model"], "a.jsonl::model: model says no value: a condition is key=value"),
    ],
)
def test_what_cannot_be_used_is_one_line(  # noqa: PLR0913, PLR0917  fixtures
    corpus: Callable[..., str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    message: str,
) -> None:
    corpus("a.jsonl", night(1, BARE))
    corpus("empty.jsonl")
    corpus("two.jsonl", night(1, BARE), night(2, BARE))
    corpus("others.jsonl", night(1, BARE, configuration="x"), night(1, BARE, configuration="y"))
    (tmp_path / "broken.jsonl").write_text("{\n", encoding="utf-8")
    (tmp_path / "half.jsonl").write_bytes(b"{\n" + (tmp_path / "a.jsonl").read_bytes())
    (tmp_path / "binary.jsonl").write_bytes(b"\xff\x00\n" * 99)
    (tmp_path / "binary.json").write_bytes(b"\xff\x00\n" * 99)
    (tmp_path / "other.json").write_text("{}\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"llmout: {message}")
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("n", "gates", "code"),
    [(40, [], 0), (40, ["drift"], 1), (40, ["too-few"], 0), (4, ["drift"], 0), (4, ["drift", "too-few"], 1)],
    ids=["no-gate", "drift", "drift-is-not-too-few", "too-few-is-no-drift", "too-few"],
)
def test_a_gate_shuts_on_its_verdict(corpus: Callable[..., str], n: int, gates: list[str], code: int) -> None:
    one, other = corpus("a.jsonl", night(1, BARE, n=n)), corpus("b.jsonl", night(2, FENCED, n=n))
    assert main(["drift", one, other, *(word for gate in gates for word in ("--fail-on", gate))]) == code


def test_the_same_replies_pass_every_gate(corpus: Callable[..., str], capsys: pytest.CaptureFixture[str]) -> None:
    path = corpus("a.jsonl", night(1, BARE, n=200), night(1, FENCED, configuration="hint", n=200))
    assert main(["drift", path, path, "--fail-on", "drift", "--fail-on", "too-few"]) == 0
    assert capsys.readouterr().out.count("0 drift") == 2


def test_a_corpus_against_itself_is_silent_each_time(capsys: pytest.CaptureFixture[str]) -> None:
    outputs = []
    for _ in range(2):
        assert main(["drift", "::", "::", "--fail-on", "drift"]) == 0
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]
    assert outputs[0].count(": 0 drift, ") == 5


def test_groups_without_a_counterpart_are_named(corpus: Callable[..., str], capsys: pytest.CaptureFixture[str]) -> None:
    one = corpus("a.jsonl", night(1, BARE), night(1, BARE, configuration="old"))
    other = corpus("b.jsonl", night(2, BARE), night(2, BARE, configuration="new"))
    assert main(["drift", one, other]) == 0
    captured = capsys.readouterr()
    assert captured.err.split("\n")[:2] == [
        "llmout: not compared, since only in the baseline: m · old",
        "llmout: not compared, since only in the candidate: m · new",
    ]
    assert captured.out.count(" against ") == 1


def test_many_nights_with_one_baseline_are_held_to_stricter_levels(
    corpus: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    one = corpus("a.jsonl", night(1, BARE))
    nights = corpus("b.jsonl", night(2, BARE), night(3, BARE), night(4, FENCED))
    assert main(["drift", one, nights, "--format", "json"]) == 0
    comparisons = json.loads(capsys.readouterr().out)
    assert [comparison["look"] for comparison in comparisons] == [1, 2, 3]
    assert [comparison["level"] for comparison in comparisons] == pytest.approx([0.05 / 2, 0.05 / 6, 0.05 / 12])
    drifted = [{one["feature"] for one in each["features"] if one["verdict"] == "drift"} for each in comparisons]
    assert "json_fenced" in drifted[2]
    assert not drifted[0] | drifted[1]


def test_a_baseline_file_stands_for_its_replies(
    corpus: Callable[..., str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, one = str(tmp_path / "llmout-baseline.json"), corpus("a.jsonl", night(1, BARE, n=50))
    other = corpus("b.jsonl", night(2, FENCED, n=50))
    assert main(["baseline", "update", one, "--file", file]) == 0
    capsys.readouterr()
    assert main(["drift", one, other, "--format", "json"]) == 0
    direct = capsys.readouterr().out
    assert main(["drift", file, other, "--format", "json"]) == 0
    assert capsys.readouterr().out == direct


def test_a_baseline_is_updated_group_by_group_and_pruned(
    corpus: Callable[..., str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = ["--file", str(tmp_path / "b.json")]
    both = corpus("a.jsonl", night(1, BARE), night(1, BARE, configuration="hint"))
    assert main(["baseline", "update", both, *file]) == 0
    assert main(["baseline", "update", corpus("b.jsonl", night(2, FENCED, n=30)), *file]) == 0
    assert main(["baseline", "prune", corpus("c.jsonl", night(3, BARE, n=20)), *file]) == 0
    capsys.readouterr()
    assert main(["baseline", "show", *file]) == 0
    lines = [line.split() for line in capsys.readouterr().out.split("\n")]
    assert lines[1:-1] == [["m", "·", "base", "·", "2026-01-02", "20", "20"]]


def test_a_baseline_holds_no_text_of_a_reply(corpus: Callable[..., str], tmp_path: Path) -> None:
    file = tmp_path / "b.json"
    assert main(["baseline", "update", corpus("a.jsonl", [reply("a secret word")]), "--file", str(file)]) == 0
    assert "secret" not in file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (["0.2", "--to", "0.4", "--power", "0.9"], "it takes 118 pairs to find a change from 20.0% to 40.0%"),
        (["0.2", "--pairs", "250"], "250 pairs find a change of "),
        (["0.5", "--pairs", "5"], "5 pairs find no change of a rate of 50.0%"),
        (["0.2", "--to", "0.4", "--pairs", "118"], "118 pairs find a change from 20.0% to 40.0% with a power of 9"),
        (["0.2", "--to", "0.2001"], "it takes more than 100000 pairs"),
    ],
    ids=["pairs", "change", "none", "power", "endless"],
)
def test_power_answers_what_was_left_open(words: list[str], answer: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["power", *words]) == 0
    assert capsys.readouterr().out.startswith(answer)


def test_of_many_bad_lines_the_first_are_named_and_the_others_counted(
    corpus: Callable[..., str], capsys: pytest.CaptureFixture[str]
) -> None:
    path = Path(corpus("a.jsonl", night(1, BARE)))
    path.write_bytes(b"{\n" * 99 + path.read_bytes())
    assert main(["profile", str(path)]) == 0
    lines = capsys.readouterr().err.split("\n")
    assert len(lines) == 7
    assert lines[5] == "llmout: 94 more such lines left out"


@pytest.mark.parametrize("word", ["2", "0", "-1"])
def test_a_level_is_a_share(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["drift", "::", "::", f"--level={word}"]) == 2
    assert f"{word} must lie between 0 and 1" in capsys.readouterr().err


def test_a_bad_line_is_told_once_and_left_out(
    corpus: Callable[..., str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = Path(corpus("a.jsonl", night(1, BARE)))
    path.write_bytes(b"{\n" + path.read_bytes())
    assert main(["report", str(path), "-o", str(tmp_path)]) == 0
    captured = capsys.readouterr()
    assert captured.err.startswith(f"llmout: {path}:1: not JSON")
    assert captured.err.count("left out") == 1
    assert ["replies", "40"] in [line.split() for line in captured.out.split("\n")]


@pytest.mark.parametrize("command", ["profile", "report"])
def test_standard_input_is_a_corpus(corpus: Callable[..., str], tmp_path: Path, command: str) -> None:
    content = Path(corpus("a.jsonl", night(1, FENCED))).read_text(encoding="utf-8")
    with start_llmout(command, "-", cwd=tmp_path, stdin=subprocess.PIPE) as process:
        output, _ = process.communicate(content)
    assert process.returncode == 0
    assert ["json_fenced", "100.0%"] in [line.split() for line in output.split("\n")]


def test_a_feature_that_a_baseline_was_written_without_is_not_compared(
    corpus: Callable[..., str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "b.json"
    assert main(["baseline", "update", corpus("a.jsonl", night(1, BARE)), "--file", str(file)]) == 0
    content = json.loads(file.read_text(encoding="utf-8"))
    content["features"].remove("json_fenced")
    file.write_text(json.dumps(content), encoding="utf-8")
    capsys.readouterr()
    assert main(["drift", str(file), corpus("b.jsonl", night(2, FENCED)), "--format", "json"]) == 0
    features = {one["feature"] for one in json.loads(capsys.readouterr().out)[0]["features"]}
    assert "whole_fence" in features
    assert "json_fenced" not in features


def test_a_level_that_is_no_number_is_told_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["drift", "a.jsonl", "b.jsonl", "--level", "x"]) == 2
    assert capsys.readouterr().err.endswith("argument --level: 'x' is not a number\n")
