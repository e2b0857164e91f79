"""The models that can be asked: `llm:NAME` and `module:callable`."""

from __future__ import annotations

import asyncio
import inspect
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias, cast

from pytest_llmout.errors import UsageError
from pytest_llmout.lookup import load_attribute

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    from pydantic import JsonValue

Messages: TypeAlias = "Sequence[dict[str, str]]"
"""A conversation: dictionaries with `role` and `content`."""


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What a model answered, with what it says about itself."""

    text: str
    """The reply, exactly as written."""
    finish_reason: str | None = None
    """Why the model stopped, in the provider's words."""
    model: str | None = None
    """The model that answered, if it names itself."""
    revision: str | None = None
    """What pins its weights."""


Answer: TypeAlias = "str | ModelReply | None"
"""What a model callable may return; `None` is an empty reply."""


@dataclass(frozen=True, slots=True)
class AskableModel:
    """A model behind one interface, whatever runs it."""

    name: str
    """The name it is asked for by."""
    call: Callable[..., Answer | Awaitable[Answer]] = field(repr=False)
    """Takes the messages and the parameters as keywords; plain or a coroutine function."""
    provider: str | None = None
    """Who runs it."""
    concurrent: bool = True
    """Whether it may be asked again before it has answered."""

    def ask(self, messages: Messages, parameters: Mapping[str, JsonValue]) -> ModelReply:
        """Ask and wait for the reply; inside a running event loop only a plain callable can be asked so.

        Raises:
            UsageError: The callable returned neither text, nor None, nor a `ModelReply`.
            Exception: Whatever the callable raises.
        """
        answer = self.call(messages, **parameters)
        return _reply(self.name, asyncio.run(_awaited(answer)) if inspect.isawaitable(answer) else answer)

    async def ask_async(self, messages: Messages, parameters: Mapping[str, JsonValue]) -> ModelReply:
        """Do what `ask` does without blocking the event loop: a plain callable runs in a thread."""
        if inspect.iscoroutinefunction(self.call) or inspect.iscoroutinefunction(type(self.call).__call__):
            answer = self.call(messages, **parameters)
        else:
            answer = await asyncio.to_thread(self._call_plain, messages, parameters)
        return _reply(self.name, await answer if inspect.isawaitable(answer) else answer)

    def _call_plain(self, messages: Messages, parameters: Mapping[str, JsonValue]) -> Answer | Awaitable[Answer]:
        try:
            return self.call(messages, **parameters)
        except StopIteration as error:
            # No future can hold one: the caller would wait for ever.
            raise RuntimeError(f"model {self.name} raised StopIteration: it has no more replies") from error


def load_model(spec: str) -> AskableModel:
    """Find a model.

    Args:
        spec: `llm:NAME` for a model or alias of the `llm` library, or `module:callable`. The callable takes a list of
            `{"role", "content"}` dictionaries and the parameters as keywords, and returns text, None or a `ModelReply`;
            it may be a coroutine function. Its attributes `name`, `provider` and `concurrent`, where it has them, are
            taken over.

    Raises:
        UsageError: There is no such model; the message lists the nearest there are.
    """
    kind, _, name = spec.partition(":")
    if not name:
        raise UsageError(f"{spec!r} names no model; a model is llm:NAME or module:callable")
    if kind == "llm":
        loader = cast("Callable[[str], AskableModel]", load_attribute("pytest_llmout.corpus.llm_models:load_llm_model"))
        return loader(name)
    return as_model(load_attribute(spec), spec)


def as_model(target: object, name: str) -> AskableModel:
    """Return what stands for a model as one that can be asked.

    Args:
        target: A model, or a callable as `load_model` describes it.
        name: What it is called if it has no attribute `name`.

    Raises:
        UsageError: It cannot be called.
    """
    if isinstance(target, AskableModel):
        return target
    if not callable(target):
        raise UsageError(
            f"{name} is an object of type {type(target).__name__}, which cannot be called; a model is a callable"
        )
    return AskableModel(
        name=getattr(target, "name", name),
        call=target,
        provider=getattr(target, "provider", None),
        concurrent=getattr(target, "concurrent", True),
    )


async def _awaited(answer: Awaitable[Answer]) -> Answer:
    return await answer


def _reply(name: str, answer: Answer) -> ModelReply:
    match answer:
        case ModelReply():
            return answer
        case str():
            return ModelReply(answer)
        case None:
            return ModelReply("")
    raise UsageError(f"model {name} returned {type(answer).__name__}; a model returns str, None or ModelReply")
