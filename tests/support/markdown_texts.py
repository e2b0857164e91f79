"""Markdown texts to hold laws against: generated ones, and the tables of `tests/cases/markdown_inputs.json`."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING

from hypothesis import strategies as st
from jsonl_cases import CASES, read_cases

from pytest_llmout.corpus.store import read_records, shipped_corpus

if TYPE_CHECKING:
    from random import Random

_INPUTS: dict[str, list[str]] = json.loads((CASES / "markdown_inputs.json").read_text(encoding="utf-8"))
_LINE_ENDS = ["\n", "\r\n", "\r"]

SPECIFICATION_TEXTS = _INPUTS["specification"]
"""Small texts that each show one rule of CommonMark 0.31 or GFM that emphasis has to do with."""


def delimiter_dense_texts() -> st.SearchStrategy[str]:
    """Return a strategy for short texts of little but what the rules of emphasis turn on."""
    return st.lists(st.sampled_from(_INPUTS["delimiters"]), max_size=24).map("".join)


def reply_like_texts() -> st.SearchStrategy[str]:
    """Return a strategy for texts of lines as models write them, with one way or mixed ways of ending a line."""
    phrases = st.lists(st.sampled_from([*_INPUTS["phrases"], "word", "two words,"]), min_size=1, max_size=5)
    filled = st.builds(str.format, st.sampled_from(_INPUTS["lines"]), phrases.map(" ".join))
    line = st.one_of(filled, filled, st.sampled_from(_INPUTS["blocks"]))
    uniform = st.sampled_from(_LINE_ENDS).flatmap(lambda end: st.lists(line.map(lambda text: text + end), max_size=8))
    mixed = st.lists(st.builds(str.__add__, line, st.sampled_from(_LINE_ENDS)), max_size=8)
    return st.one_of(uniform, mixed).map("".join)


def any_texts() -> st.SearchStrategy[str]:
    """Return a strategy for texts of any characters, lone surrogates among them, with many `*`."""
    return st.text(st.one_of(st.just("*"), st.characters(codec=None)), max_size=20)


GENERATED = {"dense": delimiter_dense_texts(), "replies": reply_like_texts(), "any": any_texts()}


def random_dense_text(random: Random) -> str:
    """Return a text like those of `delimiter_dense_texts`, in less time."""
    return "".join(random.choices(_INPUTS["delimiters"], k=random.randint(3, 24)))


def case_texts() -> list[str]:
    """Return the texts of the case table."""
    return [case["raw"] for case in read_cases("markdown.jsonl")]


@cache
def corpus_texts() -> list[str]:
    """Return the replies that ship with the package, each once."""
    return sorted({record.raw for record in read_records(shipped_corpus())})
