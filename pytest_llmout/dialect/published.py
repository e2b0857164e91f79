"""Format counts that others publish, in their published form: regular expressions over the text as it stands.

They are not features. They are here to tell how much they hang on dialect: each is counted on the reply as written and
on its canonical text, which mean the same, and what counts is how often the two differ.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import TYPE_CHECKING

from pytest_llmout.outputs.markdown_output import canonicalize_markdown

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_llmout.corpus.record import ReplyRecord
    from pytest_llmout.dialect.text_table import Rows

_CODE = re.compile(r"```([^`]*)```")


def _without_code(text: str) -> str:
    for block in _CODE.findall(text):
        text = text.replace(block, "")
    return text


def lmsys_header(text: str) -> int:
    """Headers of LMSYS style control (Chatbot Arena, 2024): lines of one to six `#` and white space, outside code."""
    return len(re.findall(r"^#{1,6}\s", _without_code(text), re.MULTILINE))


def lmsys_bold(text: str) -> int:
    """Bold of LMSYS style control: `**…**` and `__…__` within a line, outside code."""
    text = _without_code(text)
    return len(re.findall(r"\*\*[^*\n]+\*\*", text)) + len(re.findall(r"__[^_\n]+__", text))


def lmsys_list(text: str) -> int:
    """List items of LMSYS style control: lines that begin with `1.`, `-`, `*` or `+`, outside code."""
    text = _without_code(text)
    ordered = re.findall(r"^\s*\d+\.\s", text, re.MULTILINE)
    return len(ordered) + len(re.findall(r"^\s*[-*+]\s", text, re.MULTILINE))


def ifeval_highlights(text: str) -> int:
    """Highlighted sections of IFEval (arXiv:2311.07911): `*…*` and `**…**` within a line, if not empty."""
    single = (match.strip("*").strip() for match in re.findall(r"\*[^\n\*]*\*", text))
    double = (match[2:-2].strip() for match in re.findall(r"\*\*[^\n\*]*\*\*", text))
    return sum(map(bool, [*single, *double]))


def ifeval_bullets(text: str) -> int:
    """Bullets of IFEval: lines that begin with one `*`, or with `-`."""
    stars = re.findall(r"^\s*\*[^\*].*$", text, re.MULTILINE)
    return len(stars) + len(re.findall(r"^\s*-.*$", text, re.MULTILINE))


def ifeval_title(text: str) -> int:
    """Titles of IFEval: `<<…>>` within a line, if not empty."""
    return sum(1 for title in re.findall(r"<<[^\n]+>>", text) if title.lstrip("<").rstrip(">").strip())


def ifeval_paragraphs(text: str) -> int:
    """Paragraphs of IFEval: what `***` separates."""
    return len(re.split(r"\s?\*\*\*\s?", text))


def ifeval_json(text: str) -> int:
    """Whether the reply is JSON to IFEval: after a fence of backticks is taken off."""
    bare = text.strip()
    for opening in ("```json", "```Json", "```JSON", "```"):
        bare = bare.removeprefix(opening)
    try:
        json.loads(bare.removesuffix("```").strip())
    except (ValueError, RecursionError):
        return 0
    return 1


CHECKS: dict[str, Callable[[str], int]] = {
    check.__name__: check
    for check in (
        lmsys_header,
        lmsys_bold,
        lmsys_list,
        ifeval_highlights,
        ifeval_bullets,
        ifeval_title,
        ifeval_paragraphs,
        ifeval_json,
    )
}


class PublishedCounts:
    """Counts every check over a stream of records, as written and on canonical text."""

    def __init__(self) -> None:
        self._replies = 0
        self._raw: Counter[str] = Counter()
        self._canonical: Counter[str] = Counter()
        self._changed: Counter[str] = Counter()

    def add(self, record: ReplyRecord) -> None:
        """Count one record."""
        self._replies += 1
        canonical = canonicalize_markdown(record.raw)
        for name, check in CHECKS.items():
            raw = check(record.raw)
            after = raw if canonical == record.raw else check(canonical)
            self._raw[name] += raw
            self._canonical[name] += after
            self._changed[name] += raw != after

    def rows(self) -> Rows:
        """Return a table of the checks, its head first: counts on both texts, and replies whose count changes."""
        head = ["published count", "replies", "as written", "canonical", "replies that change"]
        counts = (self._raw, self._canonical, self._changed)
        return [head, *([name, str(self._replies), *(str(count[name]) for count in counts)] for name in CHECKS)]
