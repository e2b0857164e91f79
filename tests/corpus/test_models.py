from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from pytest_llmout.corpus.models import ModelReply, as_model, load_model
from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    from pydantic import JsonValue

HELLO = [{"role": "user", "content": "hello"}]
PARAMETERS: dict[str, JsonValue] = {"seed": 1}
ECHO = ModelReply("hello [('seed', 1)]")


@pytest.mark.parametrize(
    ("name", "reply"),
    [
        ("echo", ECHO),
        ("echo_async", ECHO),
        ("async_object", ECHO),
        ("returns_awaitable", ECHO),
        ("nothing", ModelReply("")),
        ("detailed", ModelReply("x", finish_reason="length", model="served-2024", revision="r1")),
    ],
)
def test_a_callable_may_be_of_any_kind(name: str, reply: ModelReply) -> None:
    model = load_model(f"fake_models:{name}")
    assert model.ask(HELLO, PARAMETERS) == reply
    assert asyncio.run(model.ask_async(HELLO, PARAMETERS)) == reply


def test_a_plain_callable_can_be_asked_inside_an_event_loop() -> None:
    async def ask() -> ModelReply:
        return load_model("fake_models:echo").ask(HELLO, PARAMETERS)

    assert asyncio.run(ask()) == ECHO


def test_a_callable_of_another_type_is_named() -> None:
    with pytest.raises(
        UsageError, match="model fake_models:number returned int; a model returns str, None or ModelReply"
    ):
        load_model("fake_models:number").ask(HELLO, {})


def test_what_a_model_raises_comes_through() -> None:
    with pytest.raises(RuntimeError, match="the provider"):
        load_model("fake_models:fails_on_b").ask([{"role": "user", "content": "b"}], {})


def test_a_model_that_runs_out_of_replies_does_not_hang() -> None:
    replies = iter(["a"])
    model = as_model(lambda _: next(replies), "scripted")

    assert asyncio.run(model.ask_async(HELLO, {})).text == "a"
    with pytest.raises(RuntimeError, match="model scripted raised StopIteration: it has no more replies"):
        asyncio.run(model.ask_async(HELLO, {}))


def test_a_model_may_be_given_instead_of_named() -> None:
    model = as_model(len, "len")

    assert as_model(model, "other") is model
    with pytest.raises(
        UsageError, match="other is an object of type int, which cannot be called; a model is a callable"
    ):
        as_model(1, "other")


def test_the_attributes_of_a_callable_are_taken_over() -> None:
    model = load_model("fake_models:async_object")
    assert (model.name, model.provider, model.concurrent) == ("fake_models:async_object", None, True)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("SmolLM2", "'SmolLM2' names no model; a model is llm:NAME or module:callable"),
        ("llm:", "'llm:' names no model; a model is llm:NAME or module:callable"),
        (":echo", "':echo' is not of the form module:attribute"),
        ("fake_models:ecko", "module fake_models has no attribute 'ecko'; there is echo"),
        (
            "fake_models:not_callable",
            "fake_models:not_callable is an object of type str, which cannot be called; a model is a callable",
        ),
        ("fake_modules:echo", "no module named 'fake_modules'; there is fake_models"),
        (
            "pytest_llmout.corpus.model:x",
            "no module named 'pytest_llmout.corpus.model'; there is pytest_llmout.corpus.models",
        ),
        ("llm:gpt-4o-minni", "llm knows no model 'gpt-4o-minni'; there is gpt-4o-mini"),
    ],
)
def test_an_unknown_model_is_answered_with_the_nearest_names(spec: str, message: str) -> None:
    with pytest.raises(UsageError) as raised:
        load_model(spec)
    assert message in str(raised.value)
