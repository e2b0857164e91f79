"""Evidence: for each feature that drifted, pairs of replies that show it, with what differs marked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from pytest_llmout.dialect.drift import Verdict
from pytest_llmout.outputs.markdown_output import canonicalize_markdown

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

    from pytest_llmout.corpus.record import ReplyRecord
    from pytest_llmout.dialect.drift import Comparison

PAIRS = 3
LONGEST = 1_200
"""Characters of a reply that are shown at most."""

_ALL_PAIRS = 500_000
"""Characters of all replies that are shown: more pairs have to make do with shorter ones."""

_WORDS = re.compile(r"\w+|\s+|[^\w\s]")

Pieces = tuple[tuple[str, bool], ...]
"""A text in pieces, each with whether it stands on one side only."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two replies to one prompt that differ in a feature."""

    prompt: str
    baseline_id: str
    candidate_id: str
    values: tuple[int, int]
    """The feature in both."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A pair with its texts."""

    pair: Pair
    baseline: Pieces
    candidate: Pieces
    canonical: tuple[str | None, str | None]
    """The canonical text of either side, where it is another than what was written."""


def choose_pairs(comparison: Comparison, baseline: pd.DataFrame, candidate: pd.DataFrame) -> dict[str, list[Pair]]:
    """Return up to `PAIRS` pairs for each feature that drifted, typical ones first: no outlier shows a habit."""
    keys = ["prompt_id", "sample"]
    both = baseline.drop_duplicates(keys).merge(candidate.drop_duplicates(keys), on=keys, suffixes=("", "_after"))
    chosen = {}
    for one in comparison.having(Verdict.DRIFT):
        rows = both[["prompt_id", "id", "id_after", one.feature, f"{one.feature}_after"]].dropna()
        rows = rows.set_axis(["prompt", "id", "id_after", "before", "after"], axis=1)
        rise = (rows["after"] - rows["before"]) * (1 if one.effect > 0 else -1)
        moved = rows.assign(unlike=(rise - rise[rise > 0].median()).abs())[rise > 0]
        typical = moved.sort_values(["unlike", "prompt", "id"]).drop_duplicates("prompt").head(PAIRS)
        fields = typical.drop(columns="unlike").itertuples(index=False, name=None)
        chosen[one.feature] = [
            Pair(prompt, before_id, after_id, (before, after)) for prompt, before_id, after_id, before, after in fields
        ]
    return chosen


def length_shown(pairs: int) -> int:
    """Return how many characters of each reply are shown, so that a page of many pairs is not too large."""
    return min(LONGEST, _ALL_PAIRS // (2 * max(pairs, 1)))


def show(pair: Pair, replies: Mapping[str, ReplyRecord], *, longest: int = LONGEST) -> Shown:
    """Put the two texts side by side, cut to `longest`, with the words marked that only one of them has."""
    before, after = (_shortened(replies[name].raw, longest) for name in (pair.baseline_id, pair.candidate_id))
    one, other = _WORDS.findall(before), _WORDS.findall(after)
    blocks = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    return Shown(
        pair,
        tuple(("".join(one[a:b]), tag != "equal") for tag, a, b, _, _ in blocks if a < b),
        tuple(("".join(other[c:d]), tag != "equal") for tag, _, _, c, d in blocks if c < d),
        (_canonical(replies[pair.baseline_id], longest), _canonical(replies[pair.candidate_id], longest)),
    )


def _canonical(record: ReplyRecord, longest: int) -> str | None:
    text = canonicalize_markdown(record.raw)
    return None if text == record.raw else _shortened(text, longest)


def _shortened(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[:longest] + " […]"
