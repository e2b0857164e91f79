from __future__ import annotations

import gzip
import json
import sqlite3
import zipfile
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from llm_logs import write_logs

from pytest_llmout.cli import main
from pytest_llmout.corpus.importers import json_stream, source, table_rows
from pytest_llmout.corpus.importers.fields import moment
from pytest_llmout.corpus.importers.importer import Skipped, detect_format, formats, load_importer
from pytest_llmout.corpus.importers.source import Source
from pytest_llmout.corpus.importing import complete
from pytest_llmout.corpus.store import read_records

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

formats()  # loads every importer, before a test lowers a limit that they take over


def conversation(reply: str, **fields: object) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": "Q"}, {"role": "assistant", "content": reply}], **fields}


def line(reply: str, **fields: object) -> bytes:
    return json.dumps(conversation(reply, **fields)).encode() + b"\n"


def imported(path: Path, name: str | None = None) -> tuple[list[str], list[Skipped]]:
    skipped: list[Skipped] = []
    opened = Source(path)
    drafts = load_importer(name or detect_format(opened.peek())).read(opened)
    records = complete(drafts, source="test", file=path.name, on_skipped=skipped.append)
    return [record.raw for record in records], skipped


LINES = [
    pytest.param(b"\x89PNG\r\x1a\x00\xff", "not UTF-8 text: byte 1", id="binary"),
    pytest.param("Café".encode("latin-1"), "not UTF-8 text: byte 4", id="Latin-1"),
    pytest.param(b'{"messages": [', "not JSON: Expecting value: line 2 column 1 (char 15)", id="cut off"),
    pytest.param(b"[" * 100_000, "nested too deeply", id="nested"),
    pytest.param(
        b"9" * 5_000,
        "not JSON: Exceeds the limit (4300 digits) for integer string conversion: value has 5000 digits",
        id="digits",
    ),
    pytest.param(b'"' + b"x" * 5_000 + b'"', "a line of more than 1000 bytes", id="long"),
    pytest.param(b"42", "no reply of a model in it", id="a number"),
    pytest.param(line(5), "no reply of a model in it", id="a number for text"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("bad", "why"), LINES)
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_a_bad_line_is_named_and_the_rest_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bad: bytes, why: str, *, packed: bool
) -> None:
    if "1000" in why:
        monkeypatch.setattr(source, "LARGEST", 1_000)
    data = line("first") + bad.rstrip(b"\n") + b"\n" + line("last")
    (tmp_path / "a.jsonl").write_bytes(gzip.compress(data) if packed else data)
    replies, [skipped] = imported(tmp_path / "a.jsonl")
    assert replies == ["first", "last"]
    assert (skipped.where, str(skipped).partition(";")[0]) == ("2", why)


DOCUMENTS = [
    pytest.param(b"[%s, broken, %s]", "[0]: not JSON from here on: Expecting value", id="not JSON"),
    pytest.param(b"[%s, %s", "[1]: not JSON from here on: the text ends too early", id="cut off"),
    pytest.param(b"[%s %s]", "[0]: not JSON from here on: `,` or `]` should stand here", id="no comma"),
    pytest.param(b'[%s, "\xe9", %s]', "[0]: not JSON from here on: not UTF-8 text", id="Latin-1"),
    pytest.param(b"[%s] %s", "[0]: not JSON from here on: text after the end of the JSON", id="two documents"),
    pytest.param(b"[%s, " + b"[" * 100_000 + b", %s]", "[0]: nested too deeply from here on", id="nested"),
]


@pytest.mark.parametrize(("document", "why"), DOCUMENTS)
def test_a_document_is_imported_up_to_where_it_breaks(tmp_path: Path, document: bytes, why: str) -> None:
    (tmp_path / "a.json").write_bytes(document % (line("first").strip(), line("last").strip()))
    replies, skipped = imported(tmp_path / "a.json", "messages")
    assert replies[:1] == ["first"]
    assert f"{skipped[-1].where}: {skipped[-1]}" == why


def test_a_value_that_is_too_long_ends_a_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_stream, "LARGEST", 1_000)
    (tmp_path / "a.json").write_text(json.dumps([conversation("first"), "x" * 600_000]), encoding="utf-8")
    replies, [skipped] = imported(tmp_path / "a.json")
    assert replies == ["first"]
    assert str(skipped) == "not JSON from here on: one value is longer than 1000 characters"


def test_documents_are_read_the_same_wherever_their_pieces_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entries = [conversation(text, number=12345.5e3) for text in ("*a*", '"\\\ud83d\ude00', "\r\n\u2028", "")]
    (tmp_path / "a.json").write_text(json.dumps(entries, indent=1), encoding="utf-8")
    whole = imported(tmp_path / "a.json")
    for size in (1, 2, 3, 7):
        monkeypatch.setattr(json_stream, "_CHUNK", size)
        assert imported(tmp_path / "a.json") == whole
    assert whole[0] == ["*a*", '"\\\U0001f600', "\r\n\u2028", ""]


def test_a_truncated_gzip_is_imported_up_to_its_end(tmp_path: Path) -> None:
    data = gzip.compress(b"".join(line(f"{number}" * 50) for number in range(5_000)))
    (tmp_path / "a.jsonl.gz").write_bytes(data[: len(data) // 2])
    replies, [*_, skipped] = imported(tmp_path / "a.jsonl.gz")
    assert replies
    assert str(skipped).startswith("cannot be read to its end: Compressed file ended")


def test_a_zip_bomb_is_not_unpacked(tmp_path: Path) -> None:
    sample = {"id": "s", "epoch": 1, "messages": [{"role": "assistant", "content": "fine"}]}
    with zipfile.ZipFile(tmp_path / "a.eval", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps({"eval": {"task": "t", "model": "m"}}))
        with archive.open("samples/bomb.json", "w", force_zip64=True) as bomb:
            for _ in range(40):
                bomb.write(b"[" * 2**20)
        archive.writestr("samples/../../escaped.json", json.dumps(sample))
    replies, [skipped] = imported(tmp_path / "a.eval")
    assert replies == ["fine"]
    assert (skipped.where, str(skipped)) == ("samples/bomb.json", "a sample of more than 33554432 bytes")
    assert [path.name for path in tmp_path.parent.glob("**/escaped.json")] == []


def test_names_are_data_and_ids_become_unique(tmp_path: Path) -> None:
    names = ["'; DROP TABLE turns; --", "../../etc/passwd", "../../etc/passwd", "CON\x00", "a" * 10_000, "=1+1"]
    (tmp_path / "in").mkdir()
    path = tmp_path / "in" / "a.jsonl"
    path.write_bytes(b"".join(line("x", id=name, model=name) for name in names))
    assert main(["import", str(path), "-o", str(tmp_path / "in" / "corpus.jsonl")]) == 0
    records = list(read_records(tmp_path / "in" / "corpus.jsonl"))
    assert [record.prompt_id for record in records] == names
    assert [record.model.name for record in records] == names
    assert [record.sample for record in records] == [0, 0, 1, 0, 0, 0]
    assert len({record.id for record in records}) == len(names)
    assert {found.name for found in tmp_path.rglob("*")} == {"in", "a.jsonl", "corpus.jsonl"}


def test_ids_that_were_given_twice_become_unique(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,reply\nx,1\nx,2\nx#2,3\nx,4\n", encoding="utf-8")
    skipped: list[Skipped] = []
    drafts = load_importer("table").read(Source(tmp_path / "a.csv"))
    ids = [record.id for record in complete(drafts, source="t", file="f", on_skipped=skipped.append)]
    assert ids == ["x", "x#2", "x#2#2", "x#3"]


def test_a_database_with_a_hostile_model_name_or_a_chain_that_bites_its_tail_is_read(tmp_path: Path) -> None:
    path = write_logs(tmp_path, [("first", "stop"), ("second", "stop")])
    with sqlite3.connect(path) as database:
        database.execute("UPDATE turns SET resolved_model = ?", ("'; DROP TABLE turns; --",))
        database.execute("UPDATE messages SET parent_hash = (SELECT max(hash) FROM messages)")
    database.close()
    before = path.read_bytes()
    replies, skipped = imported(path)
    assert len(replies) == 2
    assert not skipped
    assert path.read_bytes() == before


def test_text_of_a_database_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    path = write_logs(tmp_path, [("first", "stop"), ("second", "stop")])
    with sqlite3.connect(path) as database:
        database.execute("UPDATE parts SET text = CAST(x'43616665e9' AS TEXT) WHERE text = 'second'")
    database.close()
    replies, [skipped] = imported(path)
    assert replies == ["first"]
    assert str(skipped) == "not UTF-8 text"


def test_a_damaged_database_is_read_up_to_the_damage(tmp_path: Path) -> None:
    path = write_logs(tmp_path, [("first", "stop")])
    data = bytearray(path.read_bytes())
    data[2 * 4096 :] = b"\xff" * (len(data) - 2 * 4096)
    path.write_bytes(data)
    _, [skipped] = imported(path)
    assert str(skipped).startswith("cannot be read from here on: ")


def test_what_is_no_file_in_a_folder_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "replies").mkdir()
    (tmp_path / "secret.md").write_text("secret", encoding="utf-8")
    (tmp_path / "replies" / "a.md").symlink_to(tmp_path / "secret.md")
    (tmp_path / "replies" / "b.md").write_bytes(b"Caf\xe9")
    (tmp_path / "replies" / "c.yaml").write_text("a: &a [x]\nb: &b [*a, *a]\n", encoding="utf-8")
    (tmp_path / "replies" / "d.md").write_text("fine", encoding="utf-8")
    replies, skipped = imported(tmp_path / "replies")
    assert replies == ["fine"]
    assert [str(entry) for entry in skipped] == [
        "a link or a device, not a file",
        "not UTF-8 text: byte 4",
        "not .md, .txt, .json",
    ]


DAMAGED = [
    pytest.param(lambda data: data[: len(data) - 12], "Compressed file ended", id="cut off"),
    pytest.param(lambda data: data + b"junk", "Not a gzipped file", id="trailing junk"),
    pytest.param(lambda data: data[:-8] + b"\0" * 8, "CRC check failed", id="checksum"),
]


@pytest.mark.parametrize(("damage", "why"), DAMAGED)
def test_a_small_gzip_that_is_damaged_is_imported_as_far_as_it_goes(
    tmp_path: Path, damage: Callable[[bytes], bytes], why: str
) -> None:
    (tmp_path / "a.jsonl.gz").write_bytes(damage(gzip.compress(line("first") + line("last" * 99))))
    replies, [*_, skipped] = imported(tmp_path / "a.jsonl.gz")
    assert replies[0] == "first"
    assert (skipped.where, skipped.why) == ("end", "cannot be read to its end")
    assert skipped.detail.startswith(why)


@pytest.mark.parametrize("first", [b"\0\0", b"id,reply", b"{" * 3_000, b"\xff"])
def test_a_file_whose_first_line_is_broken_is_told_by_the_next(tmp_path: Path, first: bytes) -> None:
    (tmp_path / "a.jsonl").write_bytes(first + b"\n" + line("first") + line("last"))
    replies, [skipped] = imported(tmp_path / "a.jsonl")
    assert replies == ["first", "last"]
    assert skipped.where == "1"


TABLES = [
    pytest.param(b'1,a\n2,"b"x"\n3,c\n', ["a", "c"], "3: not CSV: ',' expected after '\"'", id="quote"),
    pytest.param(b'1,a\n2,"never ends\n', ["a"], "3: not CSV: unexpected end of data", id="no end"),
    pytest.param(b"1,a\n2," + b"x" * 2_000 + b"\n3,c\n", ["a", "c"], "3: not CSV: a line of more than 1000", id="long"),
    pytest.param(b"1,a\n2,Caf\xe9\n3,c\n", ["a", "c"], "3: not UTF-8 text", id="Latin-1"),
    pytest.param(b"1,a\n2\n3,c\n", ["a", "c"], "3: not as many fields as columns: 1 for 2", id="fields"),
]


@pytest.mark.parametrize(("rows", "replies", "why"), TABLES)
def test_a_bad_row_is_named_and_the_rest_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: bytes, replies: list[str], why: str
) -> None:
    monkeypatch.setattr(table_rows, "LARGEST", 1_000)
    (tmp_path / "a.csv").write_bytes(b"id,reply\n" + rows)
    found, [skipped] = imported(tmp_path / "a.csv")
    assert found == replies
    assert f"{skipped.where}: {skipped}".startswith(why)


def test_of_columns_that_share_a_name_none_is_read(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x,reply,x,,\n1,a,2,3,4\n", encoding="utf-8")
    replies, [skipped] = imported(tmp_path / "a.csv", "table")
    assert replies == ["a"]
    assert f"{skipped.where}: {skipped}" == "1: several columns of one name: 'x', ''"


def test_a_row_of_parquet_that_cannot_be_held_is_named_and_the_rest_imported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pa = pytest.importorskip("pyarrow", reason="needs the extra [scale]")
    pq = pytest.importorskip("pyarrow.parquet", reason="needs the extra [scale]")
    monkeypatch.setattr(table_rows, "LARGEST", 1_000)
    bad = pa.array([b"first", b"\xff\xfe", b"x" * 2_000, b"last"]).cast(pa.binary()).view(pa.string())
    pq.write_table(pa.table({"reply": bad}), tmp_path / "a.parquet")
    replies, skipped = imported(tmp_path / "a.parquet")
    assert replies == ["first", "last"]
    assert [entry.where for entry in skipped] == ["1", "2"]


@pytest.mark.parametrize("size", [0.2, 0.5, 0.9])
def test_a_damaged_parquet_file_is_named(tmp_path: Path, size: float, capsys: pytest.CaptureFixture[str]) -> None:
    pa = pytest.importorskip("pyarrow", reason="needs the extra [scale]")
    pq = pytest.importorskip("pyarrow.parquet", reason="needs the extra [scale]")
    pq.write_table(pa.table({"reply": ["a", "b"]}), tmp_path / "whole.parquet")
    data = (tmp_path / "whole.parquet").read_bytes()
    (tmp_path / "a.parquet").write_bytes(data[: int(len(data) * size)])
    assert main(["import", str(tmp_path / "a.parquet"), "-o", str(tmp_path / "corpus.jsonl")]) == 2
    assert "; 0: cannot be read from here on: Parquet magic bytes not found" in capsys.readouterr().err


def test_an_encrypted_archive_is_named(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.eval", "w") as archive:
        archive.writestr("samples/a.json", "{}")
    data = bytearray((tmp_path / "a.eval").read_bytes())
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.find(mark) + place] |= 1
    (tmp_path / "a.eval").write_bytes(data)
    replies, [skipped] = imported(tmp_path / "a.eval")
    assert not replies
    assert "is encrypted" in str(skipped)


def test_a_name_that_is_not_unicode_loses_no_reply(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(line("first", id="\ud800") + line("last", id="\\ud800"))
    replies, skipped = imported(tmp_path / "a.jsonl")
    assert (replies, skipped) == (["first", "last"], [])


NOON = datetime(2025, 5, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "time"),
    [
        ("2025-05-01T12:00:00Z", NOON),
        ("2025-05-01T14:00:00+02:00", NOON),
        ("2025-05-01 12:00:00.000000", NOON),
        ("2025-05-01", datetime(2025, 5, 1, tzinfo=UTC)),
        ("20250501T120000Z", NOON),
        (1746100800, NOON),
        (1746100800.0, NOON),
        ("1746100800", NOON),
        (1746100800000, NOON),
        (1746100800000000, NOON),
        ("1746100800000000000", NOON),
        (datetime(2025, 5, 1, 12), NOON),  # noqa: DTZ001  as Parquet gives it
        ("0001-01-01T00:00:00+14:00", None),
        ("yesterday", None),
        ("01/05/2025", None),
        ("9" * 400, None),
        (float("nan"), None),
        (float("inf"), None),
        (True, None),
        ({}, None),
        (None, None),
    ],
    ids=repr,
)
def test_dates_of_every_kind(value: object, time: datetime | None) -> None:
    assert moment(value) == time
