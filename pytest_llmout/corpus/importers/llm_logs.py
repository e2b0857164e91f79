"""The `logs.db` of llm: its message store, and the `responses` table of older versions."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

from pytest_llmout.corpus.importers.fields import at, model_of, moment, objects, parsed, word
from pytest_llmout.corpus.importers.importer import Draft, Skipped
from pytest_llmout.corpus.importers.json_stream import ESCAPED_BYTE
from pytest_llmout.corpus.importers.llm_json import finish_of, reply_of_row
from pytest_llmout.corpus.importers.openai_reply import TOOL_CALLS
from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_llmout.corpus.importers.source import Fields, Peek, Source

_TABLES = ({"turns", "messages", "parts"}, {"responses"})


def detect(peek: Peek) -> bool:
    """Return whether it is an SQLite database."""
    return peek.head.startswith(b"SQLite format 3\0")


def read(source: Source) -> Iterator[Draft | Skipped]:
    """Yield a reply for each turn, then for each response that was not taken over into the message store.

    Raises:
        UsageError: The database holds neither.
    """
    place = "start"
    try:
        with closing(sqlite3.connect(f"{source.path.absolute().as_uri()}?mode=ro", uri=True)) as database:
            database.row_factory = sqlite3.Row
            database.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
            tables = {row["name"] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if not any(wanted <= tables for wanted in _TABLES):
                raise UsageError(f"{source.path}: no logs of llm in this database: neither turns nor responses")
            for place, fields in Logs(database, tables).replies():
                texts = [fields["raw"] or "", *(message["content"] for message in fields["messages"])]
                bad = any(map(ESCAPED_BYTE.search, texts))
                yield Skipped(place, "not UTF-8 text") if bad else Draft(place, fields)
    except sqlite3.Error as error:
        yield Skipped(place, "cannot be read from here on", str(error))


class Logs:
    """The two logs in one database.

    Args:
        database: Open for reading, rows by name.
        tables: The names of its tables; views are not read.
    """

    def __init__(self, database: sqlite3.Connection, tables: set[str]) -> None:
        self._database = database
        self._tables = tables

    def replies(self) -> Iterator[tuple[str, Fields]]:
        """Yield the place and the fields of each reply, oldest first."""
        if _TABLES[0] <= self._tables:
            for turn in self._rows("SELECT * FROM turns ORDER BY datetime_utc, id"):
                yield f"turns.{turn['id']}", self._turn(turn)
        if _TABLES[1] <= self._tables:
            taken_over = "WHERE id NOT IN (SELECT id FROM turns)" if "turns" in self._tables else ""
            for row in self._rows(f"SELECT * FROM responses {taken_over} ORDER BY id"):  # noqa: S608  a constant
                yield f"responses.{row['id']}", self._response(row)

    def _rows(self, query: str, *values: object) -> Iterator[dict[str, Any]]:
        for row in self._database.execute(query, values):
            yield dict(row)

    def _turn(self, turn: dict[str, Any]) -> Fields:
        written = self._chain(turn["tip_message_hash"], until=turn["parent_message_hash"])
        asked = self._chain(turn["parent_message_hash"])
        text = "".join(self._text(message["hash"]) for message in written)
        return {
            "id": word(turn["id"]),
            "messages": [{"role": message["role"], "content": self._text(message["hash"])} for message in asked],
            "model": model_of(turn["resolved_model"] or turn["model"], requested=turn["model"]),
            "parameters": parsed(turn["options_json"]),
            "raw": text,
            "finish_reason": finish_of(turn.get("response_json")) or self._only_tools(text, written),
            "output": self._output(turn["schema_id"]),
            "time": moment(turn["datetime_utc"]),
            "source": "llm",
            "fidelity": "exact",
        }

    def _chain(self, tip: str | None, *, until: str | None = None) -> list[dict[str, Any]]:
        """Return the messages from the first after `until` to the tip."""
        chain: dict[str, dict[str, Any]] = {}
        while tip is not None and tip != until and tip not in chain:  # a damaged chain may bite its tail
            message = next(self._rows("SELECT * FROM messages WHERE hash = ?", tip), None)
            if message is None:
                break
            chain[tip] = message
            tip = message["parent_hash"]
        return list(reversed(chain.values()))

    def _text(self, message: str) -> str:
        query = "SELECT text, payload FROM parts WHERE message_hash = ? AND type = 'text' ORDER BY position"
        return "".join(self._part(part) for part in self._rows(query, message))

    def _part(self, part: dict[str, Any]) -> str:
        if part["text"] is not None:
            return str(part["text"])
        payload = parsed(part["payload"])
        pieces = objects(at(payload, "text_ref")) or [{"literal": at(payload, "text")}]
        return "".join(word(piece.get("literal")) or self._fragment(piece.get("fragment")) for piece in pieces)

    def _fragment(self, number: object) -> str:
        row = next(self._rows("SELECT content FROM fragments WHERE id = ?", number), {}) if number is not None else {}
        return str(row.get("content") or "")

    def _only_tools(self, text: str, written: list[dict[str, Any]]) -> str | None:
        query = "SELECT 1 FROM parts WHERE message_hash = ? AND type = 'tool_call'"
        called = any(next(self._rows(query, message["hash"]), None) for message in written)
        return TOOL_CALLS if called and not text else None

    def _output(self, schema: object) -> Fields | None:
        if schema is None or "schemas" not in self._tables:
            return None
        row = next(self._rows("SELECT content FROM schemas WHERE id = ?", schema), {})
        return {"type": "json", "schema": parsed(row.get("content"))}

    def _response(self, row: dict[str, Any]) -> Fields:
        # Before the message store, a conversation was the responses that share its id, in the order of theirs.
        earlier = "SELECT * FROM responses WHERE conversation_id = ? AND id < ? ORDER BY id"
        before = [
            {"role": role, "content": str(text)}
            for response in self._rows(earlier, row.get("conversation_id"), row["id"])
            for role, text in (("user", self._prompt(response)), ("assistant", response["response"]))
            if text
        ]
        return {
            **reply_of_row({**row, "prompt": self._prompt(row)}, tools=self._called_tools(row), before=before),
            "output": self._output(row.get("schema_id")),
        }

    def _prompt(self, row: dict[str, Any]) -> str:
        if "prompt_fragments" not in self._tables:
            return str(row["prompt"] or "")
        query = (
            "SELECT content FROM prompt_fragments JOIN fragments ON fragments.id = fragment_id "
            'WHERE response_id = ? ORDER BY "order"'
        )
        fragments = [fragment["content"] for fragment in self._rows(query, row["id"])]
        return "\n".join(str(text) for text in [*fragments, row["prompt"]] if text)

    def _called_tools(self, row: dict[str, Any]) -> bool:
        if "tool_calls" not in self._tables:
            return False
        return next(self._rows("SELECT 1 FROM tool_calls WHERE response_id = ?", row["id"]), None) is not None
