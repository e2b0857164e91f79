"""Where the replies of one call come from: the model, or a recording."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from pytest_llmout.accept import correction
from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pydantic import JsonValue

    from pytest_llmout.contract import Failure
    from pytest_llmout.corpus.models import AskableModel, ModelReply
    from pytest_llmout.corpus.record import Message, ReplyRecord


class Replies(Protocol):
    """The replies of one call, first and after each failure."""

    async def first(self) -> str:
        """Return the first reply."""

    async def again(self, failure: Failure, /) -> str:
        """Return the reply to a re-ask."""


@dataclass(slots=True)
class LiveReplies:
    """Asks the model; a re-ask holds the whole conversation so far."""

    model: AskableModel
    messages: Sequence[Message]
    parameters: Mapping[str, JsonValue]
    blocking: bool
    """Whether to wait for each reply instead of awaiting it."""
    last: ModelReply | None = None
    """The latest reply, with what the model says about itself."""
    _conversation: list[dict[str, str]] = field(default_factory=list)

    async def first(self) -> str:
        """Ask the prompt."""
        self._conversation = [message.model_dump() for message in self.messages]
        return await self._ask()

    async def again(self, failure: Failure) -> str:
        """Ask again, telling the model what was wrong with its reply."""
        rejected = self.last.text if self.last else ""
        self._conversation = correction(self._conversation, rejected, failure)
        return await self._ask()

    async def _ask(self) -> str:
        if self.blocking:
            self.last = self.model.ask(self._conversation, self.parameters)
        else:
            self.last = await self.model.ask_async(self._conversation, self.parameters)
        return self.last.text


@dataclass(slots=True)
class RecordedReplies:
    """Replays a call, with every attempt it took."""

    record: ReplyRecord
    _position: int = 0

    async def first(self) -> str:
        """Return the first reply that was recorded."""
        return self._texts[0]

    async def again(self, failure: Failure) -> str:
        """Return the next reply that was recorded.

        Raises:
            UsageError: The recording ends here: the contract has become stricter since.
        """
        self._position += 1
        if self._position == len(self._texts):
            raise UsageError(
                f"{self.record.prompt_id}: the last recorded reply is now rejected ({failure.kind}, {failure.reason}: "
                f"{failure.observed}) and a re-ask is due, which was not recorded; record again with "
                "--llmout-record-mode rewrite"
            )
        return self._texts[self._position]

    @property
    def _texts(self) -> list[str]:
        return [*(attempt.raw for attempt in self.record.attempts), self.record.raw]
