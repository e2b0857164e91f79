"""Markdown replies: there is no invalid Markdown, so this output type repairs dialect and never fails."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from pytest_llmout.contract import Ok
from pytest_llmout.outputs.markdown_tree import encodable
from pytest_llmout.outputs.promotion import NOTHING, promoted_emphasis

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pytest_llmout.contract import Failure
    from pytest_llmout.outputs.promotion import Before

Edit = tuple[int, str]
"""Where in the text, in characters, and what to insert there."""


@dataclass(frozen=True, slots=True)
class MarkdownOutput:
    """The output type of `markdown_output`."""

    name: str = "markdown"
    request_hint: str | None = None
    max_retries: int = 0

    def parse(self, raw: str, /) -> Ok[str]:
        """Return the canonical text; the note `promoted` says that it differs from `raw`."""
        canonical = canonicalize_markdown(raw)
        changed = canonical != raw
        return Ok(canonical, canonical, changed, ("promoted",) if changed else ())

    def retryable(self, _failure: Failure, /) -> bool:
        """Return false: nothing fails."""
        return False


def markdown_output() -> MarkdownOutput:
    """Return the output type for Markdown, whose value is the canonical text."""
    return MarkdownOutput()


def canonicalize_markdown(raw: str) -> str:
    """Return the text with every `*` emphasis promoted to strong whose promotion provably moves nothing else."""
    edits = markdown_edits(raw)
    return apply_edits(raw, edits) if edits else raw


def markdown_edits(raw: str) -> list[Edit]:
    """Return what `canonicalize_markdown` inserts, as (character offset in `raw`, inserted text), in order."""
    return edits_after(raw, NOTHING) if "*" in raw else []


def edits_after(raw: str, before: Before) -> list[Edit]:
    """Return the edits of the end of a text, given what stood before it."""
    text = encodable(raw)
    return [
        (offset, "*") for offset in character_offsets(text, chain.from_iterable(promoted_emphasis(text, before=before)))
    ]


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Make insertions whose offsets are given in order and in characters of the text before any of them."""
    pieces: list[str] = []
    done = 0
    for offset, inserted in edits:
        pieces += text[done:offset], inserted
        done = offset
    return "".join([*pieces, text[done:]])


def character_offsets(text: str, byte_offsets: Iterable[int]) -> Iterator[int]:
    """Turn ascending byte offsets into character offsets."""
    if text.isascii():
        yield from byte_offsets
        return
    data = text.encode()
    bytes_done = characters_done = 0
    for offset in byte_offsets:
        characters_done += len(data[bytes_done:offset].decode())
        bytes_done = offset
        yield characters_done
