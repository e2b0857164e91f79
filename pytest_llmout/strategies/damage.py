"""A strategy for broken replies, each labelled with the failure that it must cause."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from pytest_llmout.contract import FailureKind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@dataclass(frozen=True, slots=True)
class Fault:
    """A way to break a reply."""

    name: str
    kind: FailureKind
    """The kind of failure it must cause."""
    reason: str
    """The reason it must cause, by the codes of `json_output`."""
    damage: Callable[[str], str | None]
    """Returns the broken reply; `None` if this one cannot be broken so."""


@dataclass(frozen=True, slots=True)
class Damaged:
    """A broken reply."""

    text: str
    fault: Fault


@st.composite
def damaged(
    draw: Callable[..., Any], replies: st.SearchStrategy[str], *, faults: Sequence[Fault] | None = None
) -> Damaged:
    """Draw a reply and break it.

    Args:
        draw: Given by hypothesis.
        replies: Replies that keep their contract; each fault but `empty` applies to bare JSON objects or arrays.
        faults: What to choose from; by default all of `FAULTS`.
    """
    fault = draw(st.sampled_from(FAULTS if faults is None else faults))
    texts = replies.map(fault.damage).filter(lambda text: text is not None)
    return Damaged(draw(texts), fault)


def _of_json(damage: Callable[[str], str]) -> Callable[[str], str | None]:
    """Apply to bare JSON objects and arrays that are not empty."""

    def apply(reply: str) -> str | None:
        text = reply.strip(" \t\r\n")
        try:
            return damage(text) if text[:1] in ("{", "[") and json.loads(text) else None
        except ValueError:
            return None

    return apply


def _of_object(damage: Callable[[str], str]) -> Callable[[str], str | None]:
    """Apply to bare JSON objects that are not empty."""
    apply = _of_json(damage)
    return lambda reply: apply(reply) if reply.lstrip().startswith("{") else None


def _syntax(name: str, reason: str, damage: Callable[[str], str | None]) -> Fault:
    return Fault(name, FailureKind.SYNTAX, reason, damage)


FAULTS = (
    _syntax("empty", "empty", lambda _: ""),
    _syntax("blank", "empty", lambda _: " \n\t"),
    _syntax("without_the_last_bracket", "truncated", _of_json(lambda text: text[:-1])),
    _syntax("cut_in_half", "truncated", _of_json(lambda text: text[: max(1, len(text) // 2)])),
    _syntax("followed_by_words", "trailing_text", _of_json(lambda text: f"{text} That is all.")),
    _syntax("twice", "trailing_text", _of_json(lambda text: f"{text}\n{text}")),
    _syntax("behind_words", "not_json", _of_json(lambda text: f"Here it is: {text}")),
    _syntax("a_refusal", "not_json", lambda _: "I'm sorry, I can't help with that."),
    _syntax("trailing_comma", "trailing_comma", _of_json(lambda text: f"{text[:-1].rstrip()},{text[-1]}")),
    _syntax("trailing_comma_inside", "trailing_comma", _of_object(lambda text: '{"list": [1,],' + text[1:])),
    _syntax("single_quotes", "bare_key", _of_object(lambda text: re.sub(r'^\{\s*"', "{'", text))),
    _syntax("a_comment", "bare_key", _of_object(lambda text: "{ // the answer\n" + text[1:])),
    _syntax("nan", "not_finite", _of_object(lambda text: '{"nan": NaN,' + text[1:])),
    _syntax("infinity", "not_finite", _of_object(lambda text: '{"infinity": -Infinity,' + text[1:])),
    _syntax("python_words", "not_json", _of_object(lambda text: '{"done": True,' + text[1:])),
    _syntax("a_leading_zero", "invalid_number", _of_object(lambda text: '{"count": 01,' + text[1:])),
    _syntax("a_raw_line_break", "control_character", _of_object(lambda text: '{"lines": "a\nb",' + text[1:])),
    _syntax("a_windows_path", "invalid_escape", _of_object(lambda text: '{"path": "C:\\data",' + text[1:])),
    _syntax("half_a_pair", "lone_surrogate", _of_object(lambda text: '{"half": "\\ud83d",' + text[1:])),
    _syntax("a_huge_number", "number_out_of_range", _of_object(lambda text: '{"huge": 1e999,' + text[1:])),
    _syntax("without_a_comma", "missing_separator", _of_object(lambda text: '{"a": 1 ' + text[1:])),
    _syntax("nested_too_deep", "too_deep", lambda _: "[" * 100_000),
    Fault("in_an_array", FailureKind.SCHEMA, "validation", _of_object(lambda text: f"[[{text}]]")),
    Fault("a_number_for_an_object", FailureKind.SCHEMA, "validation", _of_object(lambda _: "17")),
    Fault("null_for_an_object", FailureKind.SCHEMA, "validation", _of_object(lambda _: "null")),
)
"""Each way in which models break JSON, for `damaged`; the last three break the shape of an object."""
