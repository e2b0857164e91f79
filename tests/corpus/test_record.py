from __future__ import annotations

from datetime import timedelta, timezone

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import ValidationError

from pytest_llmout.corpus.record import ReplyRecord, dump_record, load_record, raw_sha256

TEXTS = st.text(st.characters(), max_size=30)  # every code point, surrogates included
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
ZONES = st.integers(-23 * 60, 23 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
RECORDS = st.fixed_dictionaries(
    {"id": st.text(min_size=1, max_size=9), "prompt_id": st.just("p"), "model": st.just({"name": "m"}), "raw": TEXTS},
    optional={
        "sample": st.integers(0, 99),
        "messages": st.lists(st.fixed_dictionaries({"role": st.just("user"), "content": TEXTS}), max_size=2),
        "parameters": st.dictionaries(st.text(max_size=5), JSON, max_size=3),
        "output": st.fixed_dictionaries({"type": st.just("json"), "schema": JSON}),
        "attempts": st.lists(
            st.fixed_dictionaries(
                {"raw": TEXTS, "kind": st.just("syntax"), "reason": st.just("empty"), "observed": TEXTS}
            ),
            max_size=2,
        ),
        "canonical": TEXTS,
        "changed": st.booleans(),
        "time": st.datetimes(timezones=ZONES),
        "fidelity": st.sampled_from(["exact", "likely", "lossy"]),
    },
)


def plain(raw: str, **fields: object) -> dict[str, object]:
    return {"id": "a/0", "prompt_id": "a", "model": {"name": "m"}, "raw": raw, **fields}


@given(RECORDS)
@example(plain("\ud800"))
@example(plain("\ud83d\ude00"))
@example(plain("a\r\nb\rc\x0bd\x0ce\x85f\u2028g\u2029h\x00i\ufeff"))
@example(plain("", parameters={"stop": None, "nested": {"a": None}}))
@example(plain("{}", output={"type": "json", "schema": {"default": None}}))
def test_a_line_gives_back_an_equal_record_and_is_one_line(fields: dict[str, object]) -> None:
    record = ReplyRecord.model_validate(fields)
    line = dump_record(record)
    assert load_record(line) == record
    assert dump_record(load_record(line)) == line
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    line.decode("utf-8")


@given(TEXTS)
def test_raw_is_kept_as_written(raw: str) -> None:
    kept = load_record(dump_record(ReplyRecord.model_validate(plain(raw)))).raw
    assert kept.encode("utf-16", "surrogatepass") == raw.encode("utf-16", "surrogatepass")


def test_a_surrogate_pair_is_the_character_it_stands_for() -> None:
    record = ReplyRecord.model_validate(plain("\ud83d\ude00"))
    assert record.raw == "\U0001f600"
    assert record.sha256 == raw_sha256("\U0001f600")


def test_unset_fields_are_left_out() -> None:
    assert dump_record(ReplyRecord.model_validate(plain("x"))) == (
        b'{"version":1,"id":"a/0","prompt_id":"a","sample":0,"messages":[],"model":{"name":"m"},"parameters":{},'
        b'"raw":"x","attempts":[],"fidelity":"exact",'
        b'"sha256":"2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"}\n'
    )


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        pytest.param(plain("x", sha256="0" * 64), "sha256 does not match raw", id="another hash"),
        pytest.param(plain("x", sha256="zz"), "sha256", id="no hash"),
        pytest.param(plain("x", version=2), "version", id="a later version"),
        pytest.param(plain("x", colour="red"), "colour", id="an unknown field"),
        pytest.param(plain("x", id=""), "id", id="an empty id"),
        pytest.param(plain("x", sample=-1), "sample", id="a negative sample"),
        pytest.param(plain("x", time="2024-01-01T00:00:00"), "time", id="a time without a zone"),
        pytest.param(
            plain("x", parameters={"top_p": float("nan")}),
            "NaN and infinity are not JSON",
            id="a number that JSON has not",
        ),
    ],
)
def test_what_is_no_record_is_refused(fields: dict[str, object], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        ReplyRecord.model_validate(fields)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        pytest.param(b'{"raw": "\xff"}', "utf-8", id="not UTF-8"),
        pytest.param(b'{"raw": "\xed\xa0\x80"}', "utf-8", id="a surrogate as bytes"),
        pytest.param("{}".encode("utf-16"), "utf-8", id="UTF-16"),
        pytest.param(b'{"raw": ', "Expecting value", id="cut off"),
        pytest.param(b"[" * 100_000, "nested too deeply", id="nested too deeply"),
        pytest.param(b"[]", "reply record|valid dictionary", id="not an object"),
    ],
)
def test_a_line_that_cannot_be_read_is_a_value_error(line: bytes, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        load_record(line)


def test_a_byte_order_mark_is_dropped() -> None:
    record = ReplyRecord.model_validate(plain("x"))
    assert load_record(b"\xef\xbb\xbf" + dump_record(record)) == record
