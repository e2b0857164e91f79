"""A test that is run several times, because one reply says little about a model."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class FailedRun:
    """A repetition that failed."""

    number: int
    """Which one, from 1."""
    kind: str
    """What failures of one kind share: why the reply was rejected, or else where the test gave up."""
    message: str
    """What the test said."""


def verdict(runs: int, failed: Sequence[FailedRun], min_pass_rate: float) -> tuple[bool, str]:
    """Judge a repeated test.

    Args:
        runs: How often it was run.
        failed: The runs that failed.
        min_pass_rate: The share of runs that have to pass, from 0 to 1.

    Returns:
        Whether it passed, and in one line: n/N, the share, its Wilson interval, and what was required.
    """
    passed = runs - len(failed)
    low, high = wilson_interval(passed, runs)
    shares = f"{passed / runs:.0%}, {CONFIDENCE:.0%} interval {low:.0%} to {high:.0%}"
    return passed / runs >= min_pass_rate, f"{passed}/{runs} runs passed ({shares}); {min_pass_rate:.0%} required"


def failure_text(line: str, failed: Sequence[FailedRun]) -> str:
    """Return the text of a repeated test that failed: the verdict, the kinds of failures, one example of each."""
    return "\n".join([line, *_kinds(failed)])


def wilson_interval(successes: int, trials: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Return the Wilson score interval of a rate.

    It solves `|p - successes/trials| = z * sqrt(p * (1 - p) / trials)` for p (E. B. Wilson, Journal of the American
    Statistical Association 22, 1927), and so stays within 0 and 1 and is meaningful at both ends.
    """
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    rate, weight = successes / trials, z * z / trials
    centre = (rate + weight / 2) / (1 + weight)
    half = z / (1 + weight) * sqrt(rate * (1 - rate) / trials + weight / (4 * trials))
    # The bounds are exact at 0 and 1, where rounding could put the rate itself outside.
    return max(0.0, min(rate, centre - half)), min(1.0, max(rate, centre + half))


def _kinds(failed: Sequence[FailedRun]) -> Iterator[str]:
    for kind, count in Counter(run.kind for run in failed).most_common():
        example = next(run for run in failed if run.kind == kind)
        yield f"{count} × {kind}, such as run {example.number}:"
        yield from (f"    {line}" for line in example.message.split("\n"))
