"""What a model call must return, and how a reply is judged against it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, Protocol, TypeVar

T_co = TypeVar("T_co", covariant=True)


class FailureKind(StrEnum):
    """The two ways a reply can break its contract; the set is closed."""

    SYNTAX = "syntax"
    """The text is not the format at all."""
    SCHEMA = "schema"
    """The format parsed, the shape is wrong."""


@dataclass(frozen=True, slots=True)
class Ok(Generic[T_co]):
    """A reply that keeps its contract."""

    value: T_co
    """The typed value the reply stands for."""
    canonical: str
    """The one text that every reply of this meaning normalises to."""
    changed: bool
    """Whether normalisation altered what the model sent; each output type says what counts."""
    notes: tuple[str, ...] = ()
    """Stable codes for what normalisation met, in the order met."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A reply that breaks its contract."""

    kind: FailureKind
    """Which of the two ways."""
    observed: str
    """One line for the model: what was seen and where. No control characters, at most 500 characters."""
    reason: str
    """A stable machine code within the kind, such as `truncated` or `validation`."""


class OutputType(Protocol[T_co]):
    """A contract for one kind of reply.

    `parse` is pure (same text, same result, no I/O, no clock) and total: it raises for no text whatever.
    """

    @property
    def name(self) -> str:
        """The name that records and messages use."""

    @property
    def request_hint(self) -> str | None:
        """One instruction for the prompt that asks for this format, if there is one."""

    @property
    def max_retries(self) -> int:
        """How many re-asks may follow the first reply."""

    def parse(self, raw: str, /) -> Ok[T_co] | Failure:
        """Judge one reply."""

    def retryable(self, failure: Failure, /) -> bool:
        """Whether asking the model again can help."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A reply that failed and was followed by a re-ask."""

    raw: str
    failure: Failure


@dataclass(frozen=True, slots=True)
class Accepted(Generic[T_co]):
    """The outcome of a call whose last reply kept the contract."""

    value: T_co
    canonical: str
    changed: bool
    raw: str
    """The last reply, exactly as it came."""
    attempts: int
    """How many replies were parsed."""
    history: tuple[Attempt, ...] = ()
    """Every earlier reply, oldest first."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """The outcome of a call that ran out of attempts, or whose failure a re-ask cannot help."""

    failure: Failure
    """Why the last reply failed."""
    raw: str
    """The last reply, exactly as it came."""
    attempts: int
    """How many replies were parsed."""
    history: tuple[Attempt, ...] = ()
    """Every earlier reply, oldest first."""
