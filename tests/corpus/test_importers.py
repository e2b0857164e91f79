from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from llm_logs import printed_logs, write_logs

from pytest_llmout.corpus.importers.importer import Skipped, detect_format, formats, load_importer
from pytest_llmout.corpus.importers.source import Source
from pytest_llmout.corpus.importing import complete
from pytest_llmout.corpus.store import write_records

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pytest_llmout.corpus.record import ReplyRecord

CASES = Path(__file__).parent.parent / "cases" / "importers"
MARK = "@REPLY@"
"""Stands in the fixtures where the properties put a reply of their own."""
NICE = "*Approve.* Café 😀\r\n\r\n- a\u2028b  \n"
STAMP = "2025-05-01T12-34-56.789012"
LM_EVAL, LM_EVAL_OLDER = f"samples_review_{STAMP}.jsonl", "samples_older_2024-02-01T12-34-56.jsonl"


def imported(path: Path, name: str | None = None) -> tuple[list[ReplyRecord], list[Skipped]]:
    source = Source(path)
    name = name or detect_format(source.peek())
    skipped: list[Skipped] = []
    drafts = load_importer(name).read(source)
    return list(complete(drafts, source=name, file=path.name, on_skipped=skipped.append)), skipped


def outcome(record: ReplyRecord) -> tuple[str, str, str | None, str]:
    return record.model.name, record.raw, record.finish_reason, record.fidelity


GPT, CLAUDE = "gpt-4o-mini-2024-07-18", "claude-sonnet-4-5-20250929"
REFUSED, IN_PIECES = "I cannot help with that.", "In pieces."
FAILED, NO_REPLY, NO_CALL = "the call failed", "no reply of a model in it", "not a call of a model"
NO_TEXT = "no text of a model in it (was its content captured?)"

OTLP = [
    (MARK, "stop", "exact"),
    ("Cut off he", "length", "exact"),
    ("", "tool_calls", "exact"),
    ("One.", "stop", "exact"),
    ("Two.", "stop", "exact"),
    (IN_PIECES, "stop", "exact"),
]
"""What the instrumentation of the OpenAI client tells in each convention; of a refusal it does not tell the text."""
PROMPTFOO = [
    (MARK, "stop", "likely"),
    ("Cut off he", "length", "likely"),
    ("", "tool_calls", "likely"),
    (REFUSED, "refusal", "likely"),
    ('{"a": 1}', "stop", "lossy"),
]

FIXTURES: dict[str, tuple[str, list[tuple[str, str, str | None, str]], list[str]]] = {
    "alpaca-eval.json": (
        "alpaca-eval",
        [("gpt4_turbo", MARK, None, "likely"), ("gpt4_turbo", NICE, None, "likely")],
        [NO_REPLY],
    ),
    "anthropic-batch.jsonl": (
        "anthropic-batch",
        [
            (CLAUDE, MARK, "end_turn", "exact"),
            (CLAUDE, "Two parts.", "max_tokens", "exact"),
            (CLAUDE, "", "tool_use", "exact"),
            (CLAUDE, "I cannot.", "refusal", "exact"),
        ],
        [FAILED] * 3,
    ),
    "chatbot-arena.json": (
        "chatbot-arena",
        [
            ("alpaca-13b", MARK, None, "likely"),
            ("koala-13b", NICE, None, "likely"),
            ("vicuna-13b", "One.", None, "likely"),
            ("vicuna-13b", "Two.", None, "likely"),
        ],
        [NO_REPLY],
    ),
    "folder": (
        "folder",
        [
            ("unknown", "*Approve.*\r\n", None, "likely"),
            ("unknown", "plain\n", None, "likely"),
            ("unknown", '{"a": 1}', None, "likely"),
        ],
        ["not .md, .txt, .json"],
    ),
    "inspect.json": (
        "inspect",
        [
            ("mockllm/model", MARK, "stop", "exact"),
            ("mockllm/model", "**Long** answer with a `tab`\tand CRLF\r\n" + "- item\n" * 15, "max_tokens", "exact"),
            ("mockllm/model", REFUSED, "content_filter", "exact"),
            ("mockllm/model", "tool call for tool search", "tool_calls", "exact"),
        ],
        [],
    ),
    "inspect.eval": (
        "inspect",
        [
            ("mockllm/model", "*Approve.* Café 😀\r\nSecond line  \n", "stop", "exact"),
            ("mockllm/model", "**Long** answer with a `tab`\tand CRLF\r\n" + "- item\n" * 40, "max_tokens", "exact"),
            ("mockllm/model", REFUSED, "content_filter", "exact"),
            ("mockllm/model", "tool call for tool search", "tool_calls", "exact"),
        ],
        [],
    ),
    "langfuse.json": (
        "langfuse",
        [
            ("gpt-4o-mini", MARK, None, "likely"),
            ("gpt-4o-mini", "Plain text.", None, "likely"),
            ("gpt-4o-mini", '{"a": 1}', None, "lossy"),
        ],
        [FAILED, NO_CALL],
    ),
    "langfuse.jsonl": (
        "langfuse",
        [
            ("gpt-4o-mini", MARK, None, "likely"),
            ("gpt-4o-mini", MARK, None, "likely"),
            ("gpt-4o-mini", '{"a": 1}', None, "likely"),
            ("gpt-4o-mini", "", "tool_calls", "likely"),
        ],
        [FAILED],
    ),
    "langfuse-trace.json": ("langfuse", [("gpt-4o-mini", MARK, None, "likely")], []),
    # The refusal is not among what Langfuse's wrapper of the OpenAI client sends.
    **dict.fromkeys(
        ("langfuse-sdk.json", "langfuse-sdk.jsonl"),
        (
            "langfuse",
            [
                (GPT, MARK, None, "likely"),
                (GPT, "Cut off he", None, "likely"),
                (GPT, "", "tool_calls", "likely"),
                (GPT, IN_PIECES, None, "likely"),
            ],
            [NO_REPLY, FAILED, NO_CALL],
        ),
    ),
    "langsmith.json": (
        "langsmith",
        [("gpt-4o-mini", MARK, "error", "likely"), ("gpt-4o-mini", "A message.", None, "likely")],
        [],
    ),
    "langsmith-sdk.json": (
        "langsmith",
        [
            (GPT, MARK, "stop", "likely"),
            (GPT, "Cut off he", "length", "likely"),
            (GPT, "", "tool_calls", "likely"),
            (GPT, REFUSED, "refusal", "likely"),
            (GPT, IN_PIECES, "stop", "likely"),
            (GPT, MARK, "stop", "likely"),
            (GPT, "", "tool_calls", "likely"),
            (GPT, IN_PIECES, "stop", "likely"),
        ],
        [FAILED, NO_CALL],
    ),
    "litellm.jsonl": (
        "litellm",
        [("gpt-4o-mini", MARK, "stop", "exact"), ("gpt-4o-mini", "", "tool_calls", "exact")],
        [FAILED],
    ),
    "messages.jsonl": (
        "messages",
        [
            ("unknown", MARK, None, "likely"),
            ("m", NICE, None, "likely"),
            ("m", "Parts.", None, "likely"),
            ("unknown", "", "tool_calls", "likely"),
        ],
        [NO_REPLY] * 2,
    ),
    "openai-batch.jsonl": (
        "openai-batch",
        [
            (GPT, MARK, "stop", "exact"),
            (GPT, NICE, "stop", "exact"),
            (GPT, "Cut off he", "length", "exact"),
            (GPT, REFUSED, "refusal", "exact"),
            (GPT, "", "tool_calls", "exact"),
            ("gpt-4.1-2025-04-14", "Two parts.", "completed", "exact"),
            ("gpt-4.1-2025-04-14", "Cut", "max_output_tokens", "exact"),
            ("gpt-4.1-2025-04-14", "No.", "refusal", "exact"),
            ("gpt-4.1-2025-04-14", "", "tool_calls", "exact"),
        ],
        [FAILED] * 2,
    ),
    "otlp-logs.json": (
        "otlp",
        [
            ("unknown", MARK, "stop", "exact"),
            ("unknown", "Cut off he", "length", "exact"),
            ("unknown", "", "tool_calls", "exact"),
        ],
        [],
    ),
    "otlp-spans.json": (
        "otlp",
        [
            (GPT, MARK, "stop", "exact"),
            (GPT, MARK, "stop", "exact"),
            (GPT, "Cut off he", "length", "exact"),
            (GPT, "", "tool_call", "exact"),
        ],
        [NO_TEXT],
    ),
    "otlp-legacy.jsonl": ("otlp", [("unknown", *reply) for reply in OTLP], [NO_REPLY]),
    "otlp-spans.jsonl": ("otlp", [(GPT, *reply) for reply in OTLP], [NO_REPLY, FAILED, NO_TEXT]),
    "otlp-events.jsonl": ("otlp", [(GPT, *reply) for reply in OTLP], [NO_REPLY, FAILED]),
    "promptfoo-2.json": (
        "promptfoo",
        [("openai:gpt-4o-mini", MARK, "stop", "likely"), ("openai:gpt-4o-mini", "Cut off he", "length", "likely")],
        [FAILED],
    ),
    **dict.fromkeys(
        ("promptfoo-3.json", "promptfoo.jsonl"),
        ("promptfoo", [("openai:chat:gpt-4o-mini", *reply) for reply in PROMPTFOO], [FAILED]),
    ),
    LM_EVAL: (
        "lm-eval",
        [("gpt-4o-mini", raw, None, "likely") for raw in (MARK, "Cut off he", "One.", "Two.")],
        [],
    ),
    LM_EVAL_OLDER: ("lm-eval", [("unknown", MARK, None, "likely")], []),
    **dict.fromkeys(
        (f"samples_choice_{STAMP}.jsonl", f"samples_rolling_{STAMP}.jsonl"), ("lm-eval", [], [NO_REPLY] * 2)
    ),
    "sharegpt.json": (
        "sharegpt",
        [("unknown", MARK, None, "lossy"), ("unknown", NICE, None, "lossy")],
        [NO_REPLY] * 2,
    ),
    "table.csv": (
        "table",
        [("m", MARK, "stop", "likely"), ("m", 'a "quoted"\r\nline', "length", "likely")],
        ["not as many fields as columns"],
    ),
}

HOLDING = [name for name, (_, replies, _) in FIXTURES.items() if replies]
JSON_FIXTURES = [name for name in FIXTURES if name.endswith((".json", ".jsonl"))]


@pytest.mark.parametrize("name", FIXTURES)
def test_the_format_is_detected_and_every_reply_and_skipped_entry_is_accounted_for(name: str) -> None:
    format_name, replies, skipped = FIXTURES[name]
    records, others = imported(CASES / name)
    assert detect_format(Source(CASES / name).peek()) == format_name
    assert [outcome(record) for record in records] == replies
    assert [entry.why for entry in others] == skipped
    assert len({record.id for record in records}) == len(records)


def test_a_record_is_known_by_what_every_record_has(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    path.write_text('{"raw": "x", "model": {"name": "m"}, "prompt_id": "p", "id": "1"}\n', encoding="utf-8")
    assert detect_format(Source(path).peek()) == "reply-records"


def test_every_format_and_every_fixture_is_tested() -> None:
    generated = {"llm-json", "llm-logs", "reply-records"}
    assert {format_name for format_name, _, _ in FIXTURES.values()} | generated == set(formats())
    assert {path.name for path in CASES.iterdir()} - set(FIXTURES) == {"llm-0.27.sql", f"results_{STAMP}.json"}


@pytest.mark.parametrize(
    "name",
    ["langfuse-sdk.json", "langsmith-sdk.json", LM_EVAL, "otlp-events.jsonl", "otlp-legacy.jsonl", "promptfoo-3.json"],
)
def test_the_prompt_and_the_time_of_what_a_program_wrote_are_read(name: str) -> None:
    for record in imported(CASES / name)[0]:
        system, user = record.messages
        assert (system.role, system.content, user.role) == ("system", "Be brief.", "user")
        assert user.content.startswith(("Review this", "And this"))
        assert record.time is not None


@pytest.mark.parametrize("name", HOLDING)
def test_imported_exported_and_imported_again_is_equal(name: str, tmp_path: Path) -> None:
    records, _ = imported(CASES / name)
    write_records(tmp_path / "corpus.jsonl", records)
    assert imported(tmp_path / "corpus.jsonl") == (records, [])
    assert detect_format(Source(tmp_path / "corpus.jsonl").peek()) == "reply-records"


REPLIES = st.text(st.characters(), max_size=40)
UTF8_REPLIES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40)


def _hold(text: str, source: bytes) -> bytes:
    """Put a reply where the mark stands, in JSON and in JSON that is stored as a string of JSON."""
    once = json.dumps(text)
    twice = json.dumps(once)[1:-1]
    return source.replace(json.dumps(json.dumps(MARK))[1:-1].encode(), twice.encode()).replace(
        json.dumps(MARK).encode(), once.encode()
    )


def raws(path: Path, marked: Iterable[int]) -> set[str]:
    records, _ = imported(path)
    return {records[number].raw for number in marked}


@pytest.mark.parametrize("name", [name for name in JSON_FIXTURES if name in HOLDING])
@given(REPLIES)
@example("\ud800")
@example(NICE)
@example("\x00\x0b\x85")
@settings(max_examples=8, deadline=None)
def test_raw_is_what_a_json_source_holds(tmp_path_factory: pytest.TempPathFactory, name: str, text: str) -> None:
    text = json.loads(json.dumps(text)) or "x"
    path = tmp_path_factory.getbasetemp() / name
    path.write_bytes(_hold(text, (CASES / name).read_bytes()))
    marked = [number for number, (_, raw, _, _) in enumerate(FIXTURES[name][1]) if raw == MARK]
    assert raws(path, marked) == {text}


def _csv(path: Path, text: str) -> Path:
    path = path / "table.csv"
    path.write_bytes(f'prompt,model,reply\nQ,m,"{text.replace(chr(34), chr(34) * 2)}"\n'.encode())
    return path


def _parquet(path: Path, text: str) -> Path:
    pa = pytest.importorskip("pyarrow", reason="needs the extra [scale]")
    pq = pytest.importorskip("pyarrow.parquet", reason="needs the extra [scale]")
    pq.write_table(pa.table({"prompt": ["Q"], "model": ["m"], "reply": [text]}), path / "table.parquet")
    return path / "table.parquet"


def _folder(path: Path, text: str) -> Path:
    (path / "replies").mkdir(exist_ok=True)
    (path / "replies" / "a.md").write_bytes(text.encode())
    return path / "replies"


@pytest.mark.parametrize("make", [_csv, _parquet, _folder])
@given(UTF8_REPLIES)
@example(NICE)
@example('"')
@settings(max_examples=8, deadline=None)
def test_raw_is_what_a_table_or_a_folder_holds(
    tmp_path_factory: pytest.TempPathFactory, make: Callable[[Path, str], Path], text: str
) -> None:
    path = make(tmp_path_factory.getbasetemp(), text)
    assert raws(path, [0]) == {text}


# What llm writes


def test_the_message_store_of_llm_is_read(tmp_path: Path) -> None:
    replies = [(NICE, "stop"), ("Cut off he", "length"), ('{"a": 1}', "stop")]
    path = write_logs(tmp_path, replies)
    records, skipped = imported(path)
    assert not skipped
    assert [(record.raw, record.finish_reason) for record in records] == replies
    assert {(record.model.name, record.model.requested, record.fidelity) for record in records} == {
        ("says-2026", "says", "exact")
    }
    assert [(message.role, message.content) for message in records[1].messages] == [
        ("system", "Be brief."),
        ("user", "Question 0?"),
        ("assistant", NICE),
        ("user", "Question 1?"),
    ]
    assert records[2].output is not None
    assert records[2].output.schema_ == {"type": "object"}


def test_what_llm_prints_is_read(tmp_path: Path) -> None:
    replies = [(NICE, "stop"), ("Cut off he", "length"), ('{"a": 1}', "stop")]
    stored, _ = imported(write_logs(tmp_path, replies))
    (tmp_path / "printed.json").write_text(json.dumps(printed_logs(tmp_path), indent=2), encoding="utf-8")
    printed, skipped = imported(tmp_path / "printed.json")
    assert not skipped
    assert {(record.id, record.raw, record.finish_reason, record.time) for record in printed} == {
        (record.id, record.raw, record.finish_reason, record.time) for record in stored
    }


def legacy_logs(folder: Path) -> Path:
    """Build the database that llm 0.27 wrote, of its dump."""
    path = folder / "legacy.db"
    database = sqlite3.connect(path)
    database.executescript((CASES / "llm-0.27.sql").read_bytes().decode())
    database.close()
    return path


def test_the_responses_of_older_versions_of_llm_are_read(tmp_path: Path) -> None:
    records, skipped = imported(legacy_logs(tmp_path))
    assert not skipped
    assert [(record.raw, record.finish_reason) for record in records] == [
        ("*Approve.* Café 😀\r\nSecond  \n", "stop"),
        ("Cut off he", "length"),
        ('{"a": 1}', "stop"),
    ]
    assert [message.content for message in records[1].messages] == [
        "Question 0?",
        "*Approve.* Café 😀\r\nSecond  \n",
        "A fragment.\nQuestion 1?",
    ]
    assert records[2].output is not None
    write_records(tmp_path / "corpus.jsonl", records)
    assert imported(tmp_path / "corpus.jsonl") == (records, [])


@given(UTF8_REPLIES)
@example(NICE)
@settings(max_examples=5, deadline=None)
def test_raw_is_what_the_message_store_holds(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    folder = tmp_path_factory.getbasetemp()
    path = folder / "logs.db"
    if not path.exists():
        write_logs(folder, [("x", "stop")])
    with sqlite3.connect(path) as database:
        database.execute("UPDATE parts SET text = ? WHERE id = (SELECT max(id) FROM parts)", (text,))
    database.close()
    assert raws(path, [0]) == {text}


# Robust whatever the JSON is

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:  # noqa: ANN401  JSON
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, part in inner for place in _places(part, (*path, key)))]


def _replaced(value: Any, path: tuple[Any, ...], new: Any) -> Any:  # noqa: ANN401  JSON
    if not path:
        return new
    changed = dict(value) if isinstance(value, dict) else list(value)
    changed[path[0]] = _replaced(value[path[0]], path[1:], new)
    return changed


@pytest.mark.parametrize("name", [name for name in JSON_FIXTURES if name != "reply-records.jsonl"])
@given(st.data())
@settings(max_examples=12, deadline=None)
def test_json_of_another_shape_is_skipped_and_never_raises(
    tmp_path_factory: pytest.TempPathFactory, name: str, data: st.DataObject
) -> None:
    text = (CASES / name).read_text(encoding="utf-8")
    lines = text.split("\n") if name.endswith(".jsonl") else [text]
    documents = [json.loads(line) for line in lines if line]
    place = data.draw(st.sampled_from(_places(documents)[1:]))
    damaged = _replaced(documents, place, data.draw(JSON))
    path = tmp_path_factory.getbasetemp() / name
    path.write_text("\n".join(map(json.dumps, damaged)), encoding="utf-8")
    records, _ = imported(path, FIXTURES[name][0])
    assert len({record.id for record in records}) == len(records)
