"""The answer event: one reply, redacted, canonicalised once, and bounded; everything downstream reads it."""

from __future__ import annotations

import json
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from pytest_llmout.boundary import redaction
from pytest_llmout.errors import UsageError
from pytest_llmout.outputs.markdown_output import canonicalize_markdown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MAX_BYTES = 256 * 1024
CUT_MARK = "…"
_JOINER = "\u200d"


@dataclass(frozen=True, slots=True)
class AnswerEvent:
    """What is published of one reply."""

    text: str
    """The canonical Markdown of the redacted reply; if it was cut, of as much as fits, ending in `…`."""
    raw: str | None = None
    """The redacted reply, if canonicalising changed it and the budget holds both."""
    raw_absent: Literal["unchanged", "over_budget"] | None = None
    """Why there is no `raw`: `text` is the reply as far as it goes, or the budget has no room for both."""
    cut: bool = False
    """Whether `text` is only the beginning."""

    def fields(self) -> dict[str, object]:
        """Return the event as it is written, `type` first; what is unset is left out."""
        fields = {"text": self.text, "raw": self.raw, "raw_absent": self.raw_absent, "cut": self.cut or None}
        return {"type": "answer"} | {name: value for name, value in fields.items() if value is not None}

    def dump(self) -> bytes:
        """Return the event as one line of UTF-8 JSON with its line end: what the budget counts."""
        return dump_event(self.fields())


def dump_event(fields: dict[str, object]) -> bytes:
    """Return an event as one line of UTF-8 JSON with its line end; a lone surrogate is written as a JSON escape.

    Raises:
        ValueError, TypeError: The fields are not what JSON can hold.
    """
    text = json.dumps(fields, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8", "backslashreplace") + b"\n"


def answer_event(
    raw: str, *, redact: Callable[[str], str] = redaction.redact, max_bytes: int = MAX_BYTES
) -> AnswerEvent:
    """Build the one event of a reply.

    Args:
        raw: The reply, exactly as it came.
        redact: Takes out what must not be published; it sees the whole reply, before anything is cut.
        max_bytes: What the dumped event may take. `raw` is dropped first, then `text` is cut between characters.

    Raises:
        UsageError: The budget does not even hold an event without text.
    """
    least = len(AnswerEvent(CUT_MARK, raw_absent="over_budget", cut=True).dump())
    if max_bytes < least:
        raise UsageError(f"max_bytes={max_bytes} holds no event: give at least {least}")
    redacted = redact(raw)
    events = _whole_events(redacted) if len(redacted) <= max_bytes else iter(())
    return next((event for event in events if len(event.dump()) <= max_bytes), None) or _cut(redacted, max_bytes)


def _whole_events(redacted: str) -> Iterator[AnswerEvent]:
    """Yield what can be published without a cut, the most first."""
    text = canonicalize_markdown(redacted)
    if text == redacted:
        yield AnswerEvent(text, raw_absent="unchanged")
    else:
        yield AnswerEvent(text, raw=redacted)
        yield AnswerEvent(text, raw_absent="over_budget")


def _cut(redacted: str, max_bytes: int) -> AnswerEvent:
    """Keep as much of the reply as fits in canonical form.

    What is left is canonicalised for itself, since an emphasis that stood inside another may now stand alone. That can
    make it longer, so each further try gives up at least twice as much as the one before.
    """
    empty = AnswerEvent(CUT_MARK, raw_absent="over_budget", cut=True)
    length = _fitting(redacted, max_bytes - len(empty.dump()))
    step = 1
    while True:
        length = _between_characters(redacted, length)
        kept = redacted[:length] + CUT_MARK
        text = canonicalize_markdown(kept)
        event = replace(empty, text=text, raw_absent="unchanged" if text == kept else "over_budget")
        excess = len(event.dump()) - max_bytes
        if excess <= 0:
            return event
        step = max(2 * step, excess // 6)  # no character takes more than six bytes
        length = max(0, length - step)


def _fitting(text: str, room: int) -> int:
    """Return how many characters at the beginning of a text take at most that many bytes in a JSON string."""
    return bisect_right(range(min(len(text), room)), room, key=lambda last: _json_size(text[: last + 1]))


def _json_size(text: str) -> int:
    return len(json.dumps(text, ensure_ascii=False).encode("utf-8", "backslashreplace")) - 2


def _between_characters(text: str, end: int) -> int:
    """Step back to where no combining mark, joined emoji or line end is torn apart."""
    while 0 < end < len(text) and _belongs_together(text[end - 1], text[end]):
        end -= 1
    return end


def _belongs_together(left: str, right: str) -> bool:
    return _JOINER in (left, right) or unicodedata.category(right)[0] == "M" or left + right == "\r\n"
