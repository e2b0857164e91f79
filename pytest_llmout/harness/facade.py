"""The `llmout` fixture: asks a model, or replays what it answered, under a contract."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict, TypeVar, Unpack, overload

from pydantic import TypeAdapter, ValidationError

from pytest_llmout.accept import accept_output_async
from pytest_llmout.contract import Accepted, OutputType, Rejected
from pytest_llmout.corpus.models import as_model, load_model
from pytest_llmout.corpus.record import Json, ReplyRecord
from pytest_llmout.errors import UsageError
from pytest_llmout.harness.asked import Asked
from pytest_llmout.harness.prompt import Question, find_question
from pytest_llmout.harness.record_fields import judged_again, judged_fields, model_fields
from pytest_llmout.harness.replies import LiveReplies, RecordedReplies
from pytest_llmout.harness.request import Request, output_of
from pytest_llmout.outputs.markdown_output import markdown_output

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Mapping, Sequence
    from pathlib import Path

    from pydantic import JsonValue

    from pytest_llmout.corpus.models import AskableModel
    from pytest_llmout.harness.recording import Recording

T = TypeVar("T")
R = TypeVar("R")
Prompt: TypeAlias = "str | Sequence[Mapping[str, str]]"
"""A text, a conversation, or `FILE::NAME` for a prompt of a prompt file beside the test module."""
Outcome: TypeAlias = "Accepted[T] | Rejected"
_PARAMETERS = TypeAdapter(dict[str, Json])


class How(TypedDict, total=False):
    """The settings of `ask` that its result does not depend on."""

    parameters: Mapping[str, JsonValue] | None
    hint: bool


@dataclass(slots=True, kw_only=True)
class LlmOut:
    """What the fixture `llmout` gives a test; `ask` is all of it that a test needs."""

    test: str
    """The node id of the test."""
    folder: Path = field(repr=False)
    """Where the names of prompt files begin."""
    recording: Recording = field(repr=False)
    """What was recorded for the test."""
    find_model: Callable[[], object] = field(repr=False)
    """Gives the model; called only if one has to be asked."""
    redact: Callable[[str], str] = field(repr=False)
    """Applied to every text before it is written or compared with what was."""
    asked: list[Asked] = field(default_factory=list, repr=False)
    """What the test asked so far."""
    unanswered: int = field(default=0, repr=False)
    """How many requests a model failed to answer."""
    _model: AskableModel | None = field(default=None, init=False, repr=False)

    @overload
    def ask(self, prompt: Prompt, *, output: OutputType[T], samples: None = None, **how: Unpack[How]) -> Outcome[T]: ...
    @overload
    def ask(self, prompt: Prompt, *, output: OutputType[T], samples: int, **how: Unpack[How]) -> list[Outcome[T]]: ...
    @overload
    def ask(self, prompt: Prompt, *, output: None = None, samples: None = None, **how: Unpack[How]) -> Outcome[Any]: ...
    @overload
    def ask(self, prompt: Prompt, *, output: None = None, samples: int, **how: Unpack[How]) -> list[Outcome[Any]]: ...
    def ask(
        self,
        prompt: Prompt,
        *,
        output: OutputType[Any] | None = None,
        samples: int | None = None,
        parameters: Mapping[str, JsonValue] | None = None,
        hint: bool = False,
    ) -> Outcome[Any] | list[Outcome[Any]]:
        """Ask the model, or replay what it answered, and judge the reply, re-asking as its contract allows.

        Args:
            prompt: A text, a conversation, or `FILE::NAME` for a prompt of a prompt file.
            output: The contract; by default that of the prompt file, else Markdown.
            samples: How many replies to get. The same request made again in a test goes on counting.
            parameters: Handed to the model by name; an integer `seed` counts up with the sample.
            hint: Whether to close the prompt with the contract's request hint.

        Returns:
            `Accepted` or `Rejected`; a list of them if `samples` is given.

        Raises:
            UsageError: There is no recording of this request and the model must not be asked, or none is named.
            Exception: Whatever the model raises.
        """
        __tracebackhide__ = True
        if _in_coroutine():
            raise UsageError("llmout.ask was called in a coroutine: use `await llmout.ask_async(…)` there")
        return _run(self._ask(prompt, output, samples, parameters, hint=hint, blocking=True))

    @overload
    async def ask_async(
        self, prompt: Prompt, *, output: OutputType[T], samples: None = None, **how: Unpack[How]
    ) -> Outcome[T]: ...
    @overload
    async def ask_async(
        self, prompt: Prompt, *, output: OutputType[T], samples: int, **how: Unpack[How]
    ) -> list[Outcome[T]]: ...
    @overload
    async def ask_async(
        self, prompt: Prompt, *, output: None = None, samples: None = None, **how: Unpack[How]
    ) -> Outcome[Any]: ...
    @overload
    async def ask_async(
        self, prompt: Prompt, *, output: None = None, samples: int, **how: Unpack[How]
    ) -> list[Outcome[Any]]: ...
    async def ask_async(
        self,
        prompt: Prompt,
        *,
        output: OutputType[Any] | None = None,
        samples: int | None = None,
        parameters: Mapping[str, JsonValue] | None = None,
        hint: bool = False,
    ) -> Outcome[Any] | list[Outcome[Any]]:
        """Do what `ask` does without blocking the event loop."""
        __tracebackhide__ = True
        return await self._ask(prompt, output, samples, parameters, hint=hint, blocking=False)

    async def _ask(  # noqa: PLR0913  what `ask` was given
        self,
        prompt: Prompt,
        output: OutputType[Any] | None,
        samples: int | None,
        parameters: Mapping[str, JsonValue] | None,
        *,
        hint: bool,
        blocking: bool,
    ) -> Outcome[Any] | list[Outcome[Any]]:
        __tracebackhide__ = True
        if samples is not None and samples < 1:
            raise UsageError(f"samples={samples}: ask for one reply or more")
        if output is not None and not hasattr(output, "retryable"):
            raise UsageError(f"output={output!r} is no output type: give one, such as json_output(…)")
        question = find_question(prompt, self.folder)
        output = output or question.output or markdown_output()
        question = replace(question, messages=question.with_hint(output.request_hint if hint else None))
        request = Request(question.messages, _checked(parameters), output_of(output))
        call = _Call(question, output, request, request.redacted(self.redact), blocking)
        outcomes = [await self._ask_once(call) for _ in range(samples or 1)]
        return outcomes[0] if samples is None else outcomes

    async def _ask_once(self, call: _Call) -> Outcome[Any]:
        __tracebackhide__ = True
        sample = self.recording.next_sample(call.written)
        prompt_id = call.question.id or f"{self.test}/{self.recording.number(call.written)}"
        recorded = self.recording.find(call.written, sample)
        if recorded is not None:
            replies = RecordedReplies(recorded)
            outcome = await accept_output_async(call.output, await replies.first(), replies.again)
            self._note(judged_again(recorded, outcome, self.redact), outcome, replayed=True)
            return outcome
        if not self.recording.asks:
            raise self.recording.explain_missing(call.written, sample, prompt_id)
        return await self._ask_model(call, sample, prompt_id)

    async def _ask_model(self, call: _Call, sample: int, prompt_id: str) -> Outcome[Any]:
        model = self._model = self._model or self._find_model()
        live = LiveReplies(model, call.request.messages, call.request.sampled(sample), call.blocking)
        self.unanswered += 1
        outcome = await accept_output_async(call.output, await live.first(), live.again)
        self.unanswered -= 1
        record = ReplyRecord.model_validate(
            {
                "id": f"{self.test}/{call.written.digest}/{sample}",
                "prompt_id": prompt_id,
                "sample": sample,
                "family": call.question.family,
                "messages": call.written.messages,
                "parameters": call.written.sampled(sample),
                "output": call.written.output,
                "time": datetime.now(UTC),
                "source": "pytest-llmout",
                "source_ref": self.test,
                **model_fields(model, live.last),
                **judged_fields(outcome, self.redact),
            }
        )
        self.recording.add(record)
        self._note(record, outcome, replayed=False)
        return outcome

    def _find_model(self) -> AskableModel:
        match self.find_model():
            case None:
                raise UsageError(
                    "there is no model to ask: give --llmout-model llm:NAME or module:callable, "
                    "or override the fixture llmout_model"
                )
            case str(spec):
                return load_model(spec)
            case found:
                return as_model(found, getattr(found, "__qualname__", type(found).__qualname__))

    def _note(self, record: ReplyRecord, outcome: Outcome[Any], *, replayed: bool) -> None:
        failure = None
        if isinstance(outcome, Rejected):
            failure = replace(outcome.failure, observed=self.redact(outcome.failure.observed))
        self.asked.append(Asked(self.test, record, replayed, failure))


def _in_coroutine() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class _Call:
    question: Question
    output: OutputType[Any]
    request: Request
    written: Request
    """The request, redacted."""
    blocking: bool


def _run(coroutine: Coroutine[Any, Any, R]) -> R:
    """Run a coroutine that never waits for anything, as those that block do not."""
    __tracebackhide__ = True
    try:
        coroutine.send(None)
    except StopIteration as done:
        result: R = done.value
        return result
    raise RuntimeError("a blocking call awaited something")


def _checked(parameters: Mapping[str, JsonValue] | None) -> dict[str, JsonValue]:
    try:
        return _PARAMETERS.validate_python(dict(parameters or {}))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise UsageError(
            f"parameters.{'.'.join(map(str, first['loc']))}: {first['msg']}; give what JSON can hold"
        ) from error
