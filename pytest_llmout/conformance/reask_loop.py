"""What every re-ask loop must hold, for anybody who writes one of their own."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

from pytest_llmout.conformance.case import shown
from pytest_llmout.conformance.finding import ConformanceError, Finding
from pytest_llmout.contract import Accepted, Attempt, Failure, FailureKind, Ok, Rejected

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

GOOD, HOPELESS = "good", "hopeless"
_REPLIES = (GOOD, "", HOPELESS, "bad", "{}")


@dataclass(frozen=True, slots=True)
class Scripted:
    """An output type that accepts `good`, fails on everything else, and re-asks for all but `hopeless`."""

    max_retries: int
    name: str = "scripted"
    request_hint: str | None = None

    def parse(self, raw: str, /) -> Ok[str] | Failure:
        """Judge by the one word."""
        if raw == GOOD:
            return Ok(raw, raw, changed=False)
        kind = FailureKind.SCHEMA if raw == "{}" else FailureKind.SYNTAX
        return Failure(kind, f"not {GOOD}: {raw}", raw or "empty")

    def retryable(self, failure: Failure, /) -> bool:
        """Say no to what is hopeless."""
        return failure.reason != HOPELESS


def check_reask_loop(accept: Callable[..., Any]) -> None:
    """Play every short conversation to a loop with the signature and the promises of `accept_output`.

    Raises:
        ConformanceError: An outcome differs from what `accept_output` promises.
    """
    for retries, replies in _conversations():
        asked: list[Failure] = []
        model = iter(replies[1:])

        def reask(failure: Failure, asked: list[Failure] = asked, model: Iterator[str] = model) -> str:
            asked.append(failure)
            return next(model, GOOD)

        output = Scripted(retries)
        got = accept(output, replies[0], reask)
        wanted = _outcome(output, replies)
        if got != wanted:
            raise _error("outcome", "The loop ends with what the contract says.", replies, got, wanted)
        if asked != [attempt.failure for attempt in wanted.history]:
            raise _error("asks", "Each re-ask is given the failure before it.", replies, asked, wanted.history)
        alone = accept(output, replies[0])
        if alone != _outcome(Scripted(0), replies):
            raise _error("alone", "Without a re-ask the first reply decides.", replies[:1], alone, wanted)
    _check_error(accept)


def _conversations() -> Iterator[tuple[int, Sequence[str]]]:
    for retries in range(3):
        yield from ((retries, replies) for replies in product(_REPLIES, repeat=retries + 1))


def _outcome(output: Scripted, replies: Sequence[str]) -> Accepted[str] | Rejected:
    """Return the outcome by the contract, for a model that gives these replies."""
    history: tuple[Attempt, ...] = ()
    for number, raw in enumerate(replies, start=1):
        match output.parse(raw):
            case Ok(value, canonical, changed):
                return Accepted(value, canonical, changed, raw, number, history)
            case Failure() as failure:
                if number > output.max_retries or not output.retryable(failure):
                    return Rejected(failure, raw, number, history)
                history = (*history, Attempt(raw, failure))
    raise AssertionError("there are as many replies as attempts")


def _check_error(accept: Callable[..., Any]) -> None:
    error = ConnectionError("the line is dead")

    def reask(_failure: Failure) -> str:
        raise error

    try:
        got = accept(Scripted(1), "bad", reask)
    except ConnectionError as raised:
        if raised is error and any("not good: bad" in note for note in getattr(raised, "__notes__", ())):
            return
        got = raised
    raise _error(
        "propagates", "An error of the re-ask is the caller's, with the failure as a note.", ["bad"], got, error
    )


def _error(name: str, rule: str, replies: Sequence[str], got: object, wanted: object) -> ConformanceError:
    return ConformanceError(Finding(name, rule, " | ".join(replies), shown(got, 400), shown(wanted, 400)))
