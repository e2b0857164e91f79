"""Everything that a report shows, gathered from a corpus in two passes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pytest_llmout.dialect.drift import compare
from pytest_llmout.dialect.evidence import choose_pairs, length_shown, show
from pytest_llmout.dialect.profile import profile
from pytest_llmout.dialect.provenance import Tally
from pytest_llmout.dialect.published import PublishedCounts
from pytest_llmout.dialect.summary import summarise
from pytest_llmout.dialect.surface_counts import SurfaceCounts
from pytest_llmout.dialect.text_table import group_names
from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    import pandas as pd

    from pytest_llmout.corpus.record import ReplyRecord
    from pytest_llmout.dialect.drift import Comparison
    from pytest_llmout.dialect.evidence import Pair, Shown
    from pytest_llmout.dialect.text_table import Rows


@dataclass(frozen=True, slots=True)
class Findings:
    """What a report shows."""

    common: str
    """What all groups have in common."""
    groups: list[str]
    """The names of the groups, in the order of the summary."""
    summary: pd.DataFrame
    """What `summarise` returned."""
    comparisons: list[Comparison]
    """Every other group against the baseline."""
    evidence: list[dict[str, list[Shown]]]
    """For each comparison and each feature that drifted, pairs of replies."""
    sources: Rows
    """Where the replies come from."""
    attempts: Rows
    """How the calls for JSON went."""
    published: Rows
    """Counts that others publish, as written and on canonical text."""
    surfaces: SurfaceCounts
    """Where Slack, GitHub, a page and plain text show replies differently."""

    def shares(self) -> Rows:
        """Return the summary as a table, its head first, without features that no reply shows."""
        seen = self.summary[self.summary["feature"].isin(self.summary.loc[self.summary["replies"] > 0, "feature"])]
        groups = [self.groups[index] for index in seen.groupby("feature", sort=False).cumcount()]
        head = ["feature", "group", "replies", "show it", "share", "95% from", "to", "mean count"]
        rows = zip(groups, seen.itertuples(), strict=True)
        return [head, *([str(row.feature), group, str(row.n), str(row.replies), *_rates(row)] for group, row in rows)]


def _rates(row: Any) -> list[str]:  # noqa: ANN401  pandas makes the named tuple
    if row.n == 0:
        return ["-"] * 4
    return [f"{row.replies / row.n:.1%}", f"{row.low:.1%}", f"{row.high:.1%}", f"{row.mean:.2f}"]


def _shown(pairs: dict[str, list[Pair]], replies: dict[str, ReplyRecord], longest: int) -> dict[str, list[Shown]]:
    return {feature: [show(pair, replies, longest=longest) for pair in several] for feature, several in pairs.items()}


def gather(
    read: Callable[[], Iterable[ReplyRecord]],
    *,
    by: Sequence[str],
    baseline: str | None = None,
) -> Findings:
    """Profile a corpus, compare its groups with one of them, and pick the replies that show what drifted.

    Args:
        read: Opens the corpus; called twice, since the replies to show are known only after the first pass.
        by: The keys of a group.
        baseline: The name of the group that the others are compared with; the first one if left out.

    Raises:
        UsageError: There are no replies, or no group has the name of the baseline.
    """
    frame = profile(read())
    summary = summarise([frame] if len(frame) else [], by=by)
    common, names = group_names(summary, by)
    sides = dict(zip(names, (group for _, group in frame.groupby(list(by))), strict=True))
    first = baseline or names[0]
    if first not in sides:
        raise UsageError(f"no group {first}: choose the baseline from {', '.join(names)}")
    others = [name for name in names if name != first]
    comparisons = [compare(sides[first], sides[name], names=(first, name)) for name in others]
    pairs = [choose_pairs(each, sides[first], sides[each.candidate]) for each in comparisons]
    chosen = [pair for found in pairs for several in found.values() for pair in several]
    tally = Tally(name for pair in chosen for name in (pair.baseline_id, pair.candidate_id))
    counts, surfaces = PublishedCounts(), SurfaceCounts()
    for record in read():
        tally.add(record)
        counts.add(record)
        surfaces.add(record.id, record.raw)
    evidence = [_shown(found, tally.replies, length_shown(len(chosen))) for found in pairs]
    return Findings(
        common, names, summary, comparisons, evidence, tally.sources(), tally.attempts(), counts.rows(), surfaces
    )
