"""Models for `--model fake_models:NAME`, each of a kind that a user may write."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
import time
from typing import TYPE_CHECKING

from pytest_llmout.corpus.models import ModelReply

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from pydantic import JsonValue

    from pytest_llmout.corpus.models import Messages

not_callable = "text"


def echo(messages: Messages, **parameters: JsonValue) -> str:
    return f"{messages[-1]['content']} {sorted(parameters.items())}"


async def echo_async(messages: Messages, **parameters: JsonValue) -> str:
    await asyncio.sleep(0)
    return echo(messages, **parameters)


def returns_awaitable(messages: Messages, **parameters: JsonValue) -> Awaitable[str]:
    return echo_async(messages, **parameters)


def nothing(_messages: Messages, **_parameters: JsonValue) -> None:
    return None


def number(_messages: Messages, **_parameters: JsonValue) -> int:
    return 42


def detailed(_messages: Messages, **_parameters: JsonValue) -> ModelReply:
    return ModelReply("x", finish_reason="length", model="served-2024", revision="r1")


def slow(messages: Messages, **parameters: JsonValue) -> str:
    time.sleep(0.02)
    return echo(messages, **parameters)


def fails_on_b(messages: Messages, **_parameters: JsonValue) -> str:
    if messages[-1]["content"] == "b":
        raise RuntimeError("the provider\nsaid no")
    return "fine"


def interrupts(_messages: Messages, **_parameters: JsonValue) -> str:
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.05)
    return "finished all the same"


async def cancelled(_messages: Messages, **_parameters: JsonValue) -> str:
    raise asyncio.CancelledError


class Gauge:
    """Counts how many questions are under way at once."""

    name = "gauge"
    provider = "the test"

    def __init__(self, *, concurrent: bool) -> None:
        self.concurrent = concurrent
        self.most = self._now = 0
        self._lock = threading.Lock()

    def __call__(self, _messages: Messages, **_parameters: JsonValue) -> str:
        with self._lock:
            self._now += 1
            self.most = max(self.most, self._now)
        time.sleep(0.05)
        with self._lock:
            self._now -= 1
        return "x"


class AsyncObject:
    async def __call__(self, messages: Messages, **parameters: JsonValue) -> str:
        return await echo_async(messages, **parameters)


async_object = AsyncObject()
