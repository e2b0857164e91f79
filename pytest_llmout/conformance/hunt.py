"""Looking for texts that break an invariant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_llmout.conformance.case import Case, Subject
from pytest_llmout.conformance.contexts import crossed
from pytest_llmout.conformance.finding import Finding
from pytest_llmout.conformance.invariants import INVARIANTS, NAMES
from pytest_llmout.conformance.invariants.linear import UNITS
from pytest_llmout.conformance.invariants.size import KNOWN
from pytest_llmout.conformance.invariants.stateless import PROBE, TOGETHER
from pytest_llmout.conformance.sampling import samples
from pytest_llmout.conformance.shrink import smallest
from pytest_llmout.conformance.specimens import SPECIMENS
from pytest_llmout.strategies import emphasis, markdown_replies, near_markdown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_SHRINKING_SECONDS = 5.0


def texts(*, max_examples: int, seed: int) -> Iterator[Iterable[str]]:
    """Yield what a canonicaliser is given, from cheap to costly: specimens, generated texts, and then long ones."""
    yield _short([PROBE, *SPECIMENS])
    yield _short([*crossed(), *TOGETHER])
    yield _short(samples(emphasis(), max_examples // 2, seed=seed))
    yield _short(samples(near_markdown(), max_examples // 4, seed=seed))
    yield _short(samples(markdown_replies(), max_examples // 4, seed=seed))
    yield UNITS
    yield KNOWN


def _short(raws: Iterable[str]) -> list[str]:
    """Leave out the units, each of which starts a long measurement, and what comes again."""
    return [raw for raw in dict.fromkeys(raws) if raw not in UNITS]


def first_finding(subject: Subject, *, max_examples: int, seed: int) -> Finding | None:
    """Return the most basic finding among the first texts that have one."""
    for stage in texts(max_examples=max_examples, seed=seed):
        if found := survey(subject, stage):
            return _smallest(subject, next(iter(found.values())))
    return None


def all_findings(subject: Subject, *, max_examples: int, seed: int) -> dict[str, Finding]:
    """Return the findings by invariant, the most basic first."""
    found: dict[str, Finding] = {}
    for stage in texts(max_examples=max_examples, seed=seed):
        if "linear" not in found:  # long texts would take for ever
            found = survey(subject, stage) | found
    return {name: _smallest(subject, found[name]) for name in NAMES if name in found}


def survey(subject: Subject, raws: Iterable[str]) -> dict[str, Finding]:
    """Return the shortest finding among these texts by invariant, the most basic first."""
    found: dict[str, Finding] = {}
    for raw in raws:
        finding = broken(subject, raw)
        if finding and len(raw) < len(found.get(finding.invariant, finding).text + " "):
            found[finding.invariant] = finding
    return {name: found[name] for name in NAMES if name in found}


def broken(subject: Subject, raw: str) -> Finding | None:
    """Return the most basic invariant that a text breaks."""
    case = Case(subject, raw)
    for invariant in INVARIANTS:
        try:
            problem = invariant.check(case)
        except RecursionError:  # the candidate's own are findings: this one comes from a parser that judges
            return None
        if problem:
            return Finding(invariant.name, invariant.rule, raw, problem.got, problem.wanted)
    return None


def _smallest(subject: Subject, finding: Finding) -> Finding:
    return smallest(finding, lambda raw: broken(subject, raw), seconds=_SHRINKING_SECONDS)
