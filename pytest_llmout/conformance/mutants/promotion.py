"""The rule over markdown-it-py, with switches for what can be forgotten about it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, pairwise
from typing import TYPE_CHECKING

from pytest_llmout.conformance.judge import moved, parseable
from pytest_llmout.conformance.markdown_it_reader import read_gfm, read_markdown_it
from pytest_llmout.conformance.reading import EMPHASIS
from pytest_llmout.conformance.surfaces import url_places

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pytest_llmout.conformance.reading import Node, Reading, Span

_DIALECTS = (read_markdown_it, read_gfm)


@dataclass(frozen=True, slots=True)
class Promotion:
    """A canonicaliser; with all switches as they are it is a correct one, though a slow one."""

    dialects: tuple[Callable[[str], Reading], ...] = _DIALECTS
    """Who must see a node, and whose trees must hold."""
    is_proved: bool = True
    """Whether trees must hold at all."""
    is_searched: bool = True
    """Whether some nodes may be kept where not all can be."""
    is_rightmost: bool = False
    """Whether the search begins at the right."""
    passes: int = 100
    """How often the search is repeated at most."""
    knows_urls: bool = True
    """Whether delimiters in bare URLs do not count."""
    only_lone: bool = True
    """Whether nodes inside or around others, or in image descriptions, are left alone."""

    def __call__(self, raw: str) -> str:
        """Return the canonical text."""
        text = parseable(raw)
        readings = [read(text) for read in self.dialects]
        spans = sorted(set.intersection(*({*self._spans(reading, text)} for reading in readings)))
        if not self.is_proved or not spans or self._holds(text, readings, spans):
            return insert_asterisks(raw, spans)
        return insert_asterisks(raw, self._search(text, readings, spans) if self.is_searched else [])

    def _spans(self, reading: Reading, text: str) -> Iterable[Span]:
        for leaf in reading.leaves:
            in_url = url_places(leaf) if self.knows_urls else frozenset()
            for node in leaf.nodes:
                if node.span and in_url.isdisjoint((node.span[0], node.span[1] - 1)) and self._qualifies(node, text):
                    yield node.span

    def _qualifies(self, node: Node, text: str) -> bool:
        start = node.span[0] if node.span else 0
        is_single = text.startswith("*", start) and not text.startswith("**", start)
        return node.kind == EMPHASIS and is_single and (node.is_lone or not self.only_lone)

    def _search(self, text: str, readings: list[Reading], spans: list[Span]) -> list[Span]:
        kept: list[Span] = []
        for _ in range(self.passes):
            before = len(kept)
            for span in reversed(spans) if self.is_rightmost else spans:
                if span not in kept and self._holds(text, readings, [*kept, span]):
                    kept.append(span)
            if len(kept) == before:
                break
        return kept

    def _holds(self, text: str, readings: list[Reading], spans: list[Span]) -> bool:
        edited, promoted = insert_asterisks(text, spans), frozenset(spans)
        return not any(moved(was, read(edited), promoted) for was, read in zip(readings, self.dialects, strict=True))


def insert_asterisks(text: str, spans: Iterable[Span]) -> str:
    """Return the text with an asterisk inserted at both ends of each of these ranges of characters."""
    cuts = [0, *sorted(chain.from_iterable(spans)), len(text)]
    return "*".join(text[start:end] for start, end in pairwise(cuts))
