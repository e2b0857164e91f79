from __future__ import annotations

import io
import json
import sqlite3
from pathlib import Path

import pytest
from command_line import start_llmout

from pytest_llmout.cli import main
from pytest_llmout.corpus.store import read_records

CASES = Path(__file__).parent.parent / "cases" / "importers"


def test_an_import_says_what_it_took_and_what_it_skipped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "made" / "corpus.jsonl"
    assert main(["import", str(CASES / "messages.jsonl"), "-o", str(output)]) == 0
    out, err = capsys.readouterr()
    assert out == f"{output}: 4 replies from messages, 2 entries skipped\n"
    assert err == f"llmout: {CASES / 'messages.jsonl'}:3: no reply of a model in it (and 1 more like it)\n"
    assert len(list(read_records(output))) == 4


def test_what_the_source_does_not_say_can_be_given(tmp_path: Path) -> None:
    output = tmp_path / "corpus.jsonl"
    options = ["--model", "mine", "--configuration", "hot", "--licence", "MIT", "--output-type", "json"]
    assert main(["import", str(CASES / "messages.jsonl"), "-o", str(output), *options]) == 0
    records = list(read_records(output))
    assert [record.model.name for record in records] == ["mine", "m", "m", "mine"]
    assert {(record.configuration, record.licence) for record in records} == {("hot", "MIT")}
    assert {record.output and record.output.type for record in records} == {"json"}


def test_columns_can_be_named(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("q,engine,said\nWhy?,m1,Because.\n", encoding="utf-8")
    columns = ["--column", "raw=said", "--column", "prompt=q", "--column", "model=engine"]
    output = tmp_path / "corpus.jsonl"
    assert main(["import", str(tmp_path / "a.csv"), "--from", "table", *columns, "-o", str(output)]) == 0
    [record] = read_records(output)
    assert (record.raw, record.model.name, record.messages[0].content) == ("Because.", "m1", "Why?")


def test_standard_input_is_a_source(tmp_path: Path) -> None:
    with (CASES / "messages.jsonl").open("rb") as source:
        process = start_llmout("import", "-", "-o", "corpus.jsonl", cwd=tmp_path, stdin=source.fileno())
        out, _ = process.communicate()
    assert (process.returncode, out) == (0, "corpus.jsonl: 4 replies from messages, 2 entries skipped\n")
    assert next(read_records(tmp_path / "corpus.jsonl")).source_ref == "-:1"


def test_formats_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["formats"]) == 0
    lines = capsys.readouterr().out.split("\n")
    assert "sharegpt         ShareGPT conversations (lossy: their text was rendered to HTML and written back)." in lines


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["nowhere"], "nowhere: no such file or folder", id="missing"),
        pytest.param(["empty"], "empty: there is nothing in it", id="empty"),
        pytest.param(["noise"], "noise: the format is not one that is known: name it with --from", id="unknown"),
        pytest.param(["utf16"], "utf16: UTF-16 text: convert it to UTF-8 first", id="UTF-16"),
        pytest.param(["noise", "--from", "sharegtp"], "no format 'sharegtp'; there is sharegpt", id="misspelt"),
        pytest.param(["none.jsonl"], "none.jsonl: there is no reply in it; none.jsonl:1: no reply", id="no reply"),
        pytest.param(
            ["two.jsonl", "--strict"], "two.jsonl:2: not JSON: Expecting value: line 1 column 1 (char 0)", id="strict"
        ),
        pytest.param(["two.jsonl", "-o", "two.jsonl"], "two.jsonl: the output would replace the source", id="itself"),
        pytest.param(["two.jsonl", "-o", "noise/x.jsonl"], "noise/x.jsonl: cannot be written: ", id="below-a-file"),
        pytest.param(["two.jsonl", "-o", "x.csv"], "x.csv: the output is a file that ends in .jsonl", id="suffix"),
        pytest.param(
            ["a.csv", "--from", "table", "--column", "txt=a"], "--column txt: no such field; there is raw", id="field"
        ),
        pytest.param(
            ["a.csv", "--from", "table", "--column", "raw=c"],
            "--column raw=c: a.csv has no such column; there is a, b",
            id="unknown column",
        ),
        pytest.param(["a.csv"], "a.csv: the format is not one that is known: name it with --from", id="no column"),
        pytest.param(["-"], "standard input: there is nothing in it", id="empty input"),
        pytest.param(
            ["a.csv", "--from", "table"], "a.csv: there is no reply in it; a.csv:2: no column raw or reply", id="column"
        ),
        pytest.param(["other.db"], "other.db: no logs of llm in this database", id="another database"),
        pytest.param(["half.eval"], "half.eval: not a whole archive", id="half an archive"),
    ],
)
def test_a_source_that_cannot_be_used_gives_one_clear_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    good = json.dumps({"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]})
    files = {
        "empty": b"",
        "noise": bytes(range(256)),
        "utf16": "text".encode("utf-16"),
        "none.jsonl": b'{"messages": [{"role": "user", "content": "a"}]}\n',
        "two.jsonl": f"{good}\nbroken\n".encode(),
        "a.csv": b"a,b\n1,2\n",
        "half.eval": (CASES / "inspect.eval").read_bytes()[:5000],
    }
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    _database(tmp_path / "other.db")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO()))
    output = [] if "-o" in arguments else ["-o", "corpus.jsonl"]
    assert main(["import", *arguments, *output]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"llmout: {message}")
    assert error.count("\n") == 1
    assert {path.name for path in tmp_path.iterdir()} == {*files, "other.db"}


def _database(path: Path) -> None:
    database = sqlite3.connect(path)
    database.execute("CREATE TABLE other (a)")
    database.close()
