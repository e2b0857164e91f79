"""Quotation marks, dashes, emoji: characters of the prose."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_llmout.dialect.feature import feature

if TYPE_CHECKING:
    from pytest_llmout.dialect.reply import Reply

_CURLY = re.compile("[“”„‘‚«»]")
_EMOJI = re.compile(
    "[\U0001f300-\U0001faff\u2600-\u27bf\u2b50\u2b55\U0001f1e6-\U0001f1ff][\ufe0f\u200d\U0001f3fb-\U0001f3ff]*"
)


@feature(says="writes typographic quotation marks", unit="characters", examples={"“a”": 2, '"a" don’t': 0, "`“`": 0})
def quote_curly(reply: Reply) -> int:
    """Typographic quotation marks; the apostrophe ’ is not counted."""
    return 0 if reply.raw.isascii() else len(_CURLY.findall(reply.text))


@feature(says="writes straight quotation marks", unit="characters", examples={'"a"': 2, "“a”": 0, '`"`': 0})
def quote_straight(reply: Reply) -> int:
    """Straight double quotation marks."""
    return reply.text.count('"')


@feature(says="writes em dashes", unit="characters", examples={"a — b": 1, "a – b -- c": 0})
def dash_em(reply: Reply) -> int:
    """Em dashes."""
    return reply.text.count("—")


@feature(says="writes en dashes", unit="characters", examples={"1–2": 1, "1-2 — 3": 0})
def dash_en(reply: Reply) -> int:
    """En dashes."""
    return reply.text.count("–")


@feature(says="writes emoji", unit="emoji", examples={"done ✅ 🎉": 2, "→ ok": 0, "`🎉`": 0})
def emoji(reply: Reply) -> int:
    """Emoji, pictographs and flags' letters."""
    return 0 if reply.raw.isascii() else len(_EMOJI.findall(reply.prose))
