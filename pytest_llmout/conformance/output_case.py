"""One reply given to an output type, and what came back."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pytest_llmout.conformance.case import Raised
from pytest_llmout.contract import Failure, Ok

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pytest_llmout.contract import OutputType
    from pytest_llmout.strategies import Fault


@dataclass(frozen=True, slots=True)
class Reply:
    """A text, and what is known about it."""

    raw: str
    is_valid: bool = False
    """Whether it is known to keep the contract."""
    fault: Fault | None = None
    """How it was broken, if it was."""


@dataclass(frozen=True)
class OutputCase:
    """What the invariants look at."""

    output_type: OutputType[Any]
    reply: Reply
    earlier: Mapping[str, str] = field(default_factory=dict)
    """Replies that were accepted before, with how their outcomes looked."""

    @cached_property
    def outcome(self) -> object:
        """What `parse` gave, be it an exception."""
        return self.attempt(lambda: self.output_type.parse(self.reply.raw))

    @property
    def described(self) -> tuple[object, object, object]:
        """What the output type says of itself, whatever its type: name, hint, number of re-asks."""
        return self.output_type.name, self.output_type.request_hint, self.output_type.max_retries

    @property
    def ok(self) -> Ok[Any] | None:
        """The outcome, if the reply was accepted."""
        return self.outcome if isinstance(self.outcome, Ok) else None

    @property
    def failure(self) -> Failure | None:
        """The outcome, if the reply was refused."""
        return self.outcome if isinstance(self.outcome, Failure) else None

    def again(self, raw: str) -> object:
        """Return what `parse` gives for another text, be it an exception."""
        return self.attempt(lambda: self.output_type.parse(raw))

    @staticmethod
    def attempt(call: Callable[[], object]) -> object:
        """Return what a call of the candidate gives, be it an exception."""
        try:
            return call()
        except (Exception, SystemExit) as error:  # noqa: BLE001  whatever the candidate raises is a finding
            return Raised(error)


def same(one: object, other: object) -> bool:
    """Whether two values are equal and of one type; what holds NaN equals what is written alike."""
    return type(one) is type(other) and (one == other or repr(one) == repr(other))
