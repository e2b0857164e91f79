"""Where surfaces show replies differently, counted by reason; needs what the surfaces need."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pytest_llmout.boundary.surfaces.agreement import REASONS, SURFACES, disagreements
from pytest_llmout.outputs.markdown_output import canonicalize_markdown

if TYPE_CHECKING:
    from pytest_llmout.boundary.surfaces.agreement import Disagreement
    from pytest_llmout.dialect.text_table import Rows

EXAMPLES = 3
"""Replies that are named for each reason: of those that the canonical form settles, and of those that it does not."""

_SHOWN_WORDS = 60


@dataclass(slots=True)
class _Count:
    """Replies about which surfaces disagree."""

    total: int = 0
    replies: Counter[str] = field(default_factory=Counter)
    """By each reason that is among theirs."""
    places: Counter[str] = field(default_factory=Counter)

    def add(self, found: list[Disagreement]) -> None:
        reasons = [each.reason for each in found]
        self.total += bool(found)
        self.places.update(reasons)
        self.replies.update(set(reasons))

    def row(self, reason: str) -> list[str]:
        return [str(self.replies[reason]), str(self.places[reason])]


class SurfaceCounts:
    """Counts over a stream of replies, as written and in canonical form."""

    def __init__(self) -> None:
        self._written, self._canonical = _Count(), _Count()
        self._examples: defaultdict[tuple[str, str], Rows] = defaultdict(list)
        self.total = 0
        """Replies."""

    @property
    def open_as_written(self) -> int:
        """The replies that not all surfaces show alike."""
        return self._written.total

    @property
    def open_canonical(self) -> int:
        """Those of them that not all surfaces show alike in canonical form either."""
        return self._canonical.total

    def add(self, name: str, raw: str) -> list[Disagreement]:
        """Count one reply, and return what its canonical form still leaves open."""
        written = disagreements(raw)
        canonical = canonicalize_markdown(raw)
        left = written if canonical == raw else disagreements(canonical)
        self.total += 1
        self._written.add(written)
        self._canonical.add(left)
        for reason, first in {each.reason: each for each in reversed(left or written)}.items():
            self._keep(name, first, reason, "disagrees" if left else "agrees")
        return left

    def _keep(self, name: str, first: Disagreement, reason: str, canonical: str) -> None:
        kept = self._examples[reason, canonical]
        if len(kept) < EXAMPLES:
            kept.append([name, _cut(first.words), *map(first.look, SURFACES), reason, canonical])

    def rows(self) -> Rows:
        """Return a table of the reasons, its head first."""
        head = ["reason", "replies as written", "places", "replies canonical", "places"]
        return [head, *([reason, *self._written.row(reason), *self._canonical.row(reason)] for reason in REASONS)]

    def examples(self) -> Rows:
        """Return a table of some replies and the first words they are shown differently in, its head first.

        Those that the canonical form leaves open come first.
        """
        head = ["reply", "words", *SURFACES, "reason", "canonical form"]
        places = [(reason, canonical) for canonical in ("disagrees", "agrees") for reason in REASONS]
        return [head, *(row for place in places for row in self._examples[place])]


def _cut(words: str) -> str:
    return words if len(words) <= _SHOWN_WORDS else f"{words[:_SHOWN_WORDS].rstrip()} […]"
