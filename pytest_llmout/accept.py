"""The re-ask loop: parse, and while a re-ask can help, ask again."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from pytest_llmout.contract import Accepted, Attempt, Failure, Ok, OutputType, Rejected

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Sequence

T = TypeVar("T")
Message = dict[str, str]

REPEATED = "(the same reply as before; it must change)"
"""What a correction adds where a model repeats itself."""


def accept_output(
    output_type: OutputType[T],
    raw: str | None,
    reask: Callable[[Failure], str | None] | None = None,
) -> Accepted[T] | Rejected:
    """Judge a reply, re-asking while the output type allows it.

    Args:
        output_type: The contract; nothing here depends on which one it is.
        raw: The first reply. `None` (a model that returned nothing) counts as an empty reply.
        reask: Asks the model again, given the failure, and returns its next reply. Without it nothing is re-asked.

    Returns:
        `Accepted`, or `Rejected` once the failure is not retryable or `output_type.max_retries` re-asks were made.

    Raises:
        Whatever `reask` raises, with the last failure added as a note.
    """
    history: tuple[Attempt, ...] = ()
    while True:
        outcome = _judge(output_type, raw or "", history)
        if reask is None or not isinstance(outcome, Rejected) or not _may_reask(output_type, outcome):
            return outcome
        history = (*history, Attempt(outcome.raw, outcome.failure))
        with _failure_as_note(outcome.failure):
            raw = reask(outcome.failure)


async def accept_output_async(
    output_type: OutputType[T],
    raw: str | None,
    reask: Callable[[Failure], Awaitable[str | None]] | None = None,
) -> Accepted[T] | Rejected:
    """Do what `accept_output` does with a `reask` that is awaited."""
    history: tuple[Attempt, ...] = ()
    while True:
        outcome = _judge(output_type, raw or "", history)
        if reask is None or not isinstance(outcome, Rejected) or not _may_reask(output_type, outcome):
            return outcome
        history = (*history, Attempt(outcome.raw, outcome.failure))
        with _failure_as_note(outcome.failure):
            raw = await reask(outcome.failure)


def correction(messages: Sequence[Message], raw: str, failure: Failure) -> list[Message]:
    """Build the messages of a re-ask: the conversation, the rejected reply, and what was observed in it.

    Both texts are placed as they are; neither is ever treated as a template. A reply that repeats the one rejected just
    before it is called a repetition, since the same words again would draw the same reply again.
    """
    rejected = {"role": "assistant", "content": raw}
    is_repeated = rejected in messages[-2:]
    return [
        *messages,
        rejected,
        {"role": "user", "content": f"{failure.observed} {REPEATED}" if is_repeated else failure.observed},
    ]


def _judge(output_type: OutputType[T], raw: str, history: tuple[Attempt, ...]) -> Accepted[T] | Rejected:
    attempts = len(history) + 1
    match output_type.parse(raw):
        case Ok(value, canonical, changed):
            return Accepted(value, canonical, changed, raw, attempts, history)
        case Failure() as failure:
            return Rejected(failure, raw, attempts, history)


def _may_reask(output_type: OutputType[object], rejected: Rejected) -> bool:
    return len(rejected.history) < output_type.max_retries and output_type.retryable(rejected.failure)


@contextmanager
def _failure_as_note(failure: Failure) -> Iterator[None]:
    try:
        yield
    except BaseException as error:
        error.add_note(f"while re-asking after a {failure.kind} failure ({failure.reason}): {failure.observed}")
        raise
