"""Which invariant kills which mutant."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

from pytest_llmout.conformance import hunt, output_hunt
from pytest_llmout.conformance.case import Subject
from pytest_llmout.conformance.invariants import NAMES
from pytest_llmout.conformance.mutants.canonicalizers import CANONICALIZERS
from pytest_llmout.conformance.mutants.output_types import OUTPUT_TYPES
from pytest_llmout.conformance.output_invariants import NAMES as OUTPUT_NAMES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pytest_llmout.contract import OutputType


@dataclass(frozen=True, slots=True)
class Row:
    """A mutant, and what was found out about it."""

    mutant: str
    killers: tuple[str, ...]
    """The invariants that it breaks, the most basic first; none if it survived."""


def canonicalizer_rows(*, max_examples: int, seed: int) -> Iterator[Row]:
    """Yield what the faulty canonicalisers break, one after the other."""
    for name, function in CANONICALIZERS.items():
        yield Row(name, killers(function, max_examples=max_examples, seed=seed))


def output_type_rows(*, max_examples: int, seed: int) -> Iterator[Row]:
    """Yield what the faulty output types break, one after the other."""
    for name, output_type in OUTPUT_TYPES.items():
        yield Row(name, output_killers(output_type, max_examples=max_examples, seed=seed))


def killers(function: Callable[[str], object], *, max_examples: int, seed: int) -> tuple[str, ...]:
    """Return the invariants that a canonicaliser breaks.

    The long texts are tried only on what no short one kills: that is what they are for.
    """
    subject = Subject(function)
    *short, units, long = hunt.texts(max_examples=max_examples, seed=seed)
    return tuple(
        hunt.survey(subject, chain.from_iterable(short)) or hunt.survey(subject, units) or hunt.survey(subject, long)
    )


def output_killers(output_type: OutputType[Any], *, max_examples: int, seed: int) -> tuple[str, ...]:
    """Return the invariants that an output type breaks."""
    replies = output_hunt.replies_for(output_type, replies=None, faults=None, max_examples=max_examples, seed=seed)
    return tuple(name for name, _ in output_hunt.survey(output_type, replies).items())


def only_kills(rows: Sequence[Row], names: Sequence[str]) -> dict[str, list[str]]:
    """Return, for each invariant, the mutants that no more basic one kills."""
    return {name: [row.mutant for row in rows if row.killers[:1] == (name,)] for name in names}


TABLES = {
    "canonicalisers": (NAMES, canonicalizer_rows),
    "output types": (OUTPUT_NAMES, output_type_rows),
}
"""What is tabulated: its invariants, and where its rows come from."""
