"""The recorder: asks a model every prompt under every configuration and keeps each reply as it comes."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pytest_llmout.corpus.record import Model, ReplyRecord
from pytest_llmout.corpus.store import read_records
from pytest_llmout.corpus.writer import RecordWriter
from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from pydantic import JsonValue

    from pytest_llmout.corpus.models import AskableModel, ModelReply
    from pytest_llmout.corpus.prompts import Configuration, Prompt, PromptFile
    from pytest_llmout.corpus.record import Message, Output


@dataclass(frozen=True, slots=True)
class Question:
    """One reply to record."""

    id: str
    """The id of its record: model, configuration, prompt and sample."""
    prompt: Prompt
    configuration: str
    sample: int
    messages: tuple[Message, ...]
    parameters: dict[str, JsonValue]
    output: Output | None


@dataclass(frozen=True, slots=True)
class Refusal:
    """A question on which the model raised instead of answering."""

    question: Question
    error: BaseException

    def __str__(self) -> str:
        """Name the prompt and the error in one line."""
        words = " ".join(str(self.error).split())
        return ": ".join(filter(None, [self.question.id, type(self.error).__name__, words]))


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordingOptions:
    """How a recording is done."""

    concurrency: int = 1
    """How many questions may be under way at once, if the model allows more than one."""
    keep_going: bool = False
    """Whether to ask on after the model raised."""
    licence: str | None = None
    """Under which the replies may be used."""


def plan(
    prompts: PromptFile,
    model: AskableModel,
    *,
    samples: int = 1,
    configurations: Sequence[str] = (),
    parameters: Mapping[str, JsonValue] | None = None,
) -> list[Question]:
    """List the questions of a recording, in the order of configuration, prompt and sample.

    Args:
        prompts: What to ask.
        model: Whom to ask.
        samples: How often each prompt is asked under each configuration.
        configurations: The names of those wanted; all if empty.
        parameters: Override those of the file.

    Raises:
        UsageError: The file has no configuration of that name.
    """
    return [
        Question(
            id=f"{model.name}/{configuration.name}/{prompt.id}/{sample}",
            prompt=prompt,
            configuration=configuration.name,
            sample=sample,
            messages=prompts.messages(prompt, configuration),
            parameters=_parameters(configuration, parameters or {}, sample),
            output=prompt.contract,
        )
        for configuration in _chosen(prompts, configurations)
        for prompt in prompts.prompts
        for sample in range(samples)
    ]


def record_replies(
    questions: Sequence[Question],
    model: AskableModel,
    path: Path,
    *,
    options: RecordingOptions,
    on_replies: Callable[[int], object] = lambda _: None,
) -> list[Refusal]:
    """Ask what a corpus file does not answer yet and append each reply to it as soon as it is there.

    Once all are there the file is put into the order of the questions, so that it does not depend on concurrency and
    interruptions. An interrupt (Ctrl-C) waits for the replies under way and keeps them; a second one does not.

    Args:
        questions: What to ask.
        model: Whom to ask.
        path: The corpus file; no other process may write it meanwhile.
        options: How to go about it.
        on_replies: Called with the number of replies found in the file, then with 1 after each reply is on disk.

    Returns:
        The questions on which the model raised; after the first, nothing more is asked unless `options.keep_going`.

    Raises:
        UsageError: The file cannot be written, holds a line that is no record, or a reply to a question of the same
            id that has changed since; or the model cannot be asked in this way.
        KeyboardInterrupt: The recording was interrupted.
    """
    with RecordWriter(path, exclusive=True) as writer:
        missing = _unanswered(questions, path)
        on_replies(len(questions) - len(missing))

        def keep(question: Question, reply: ModelReply) -> None:
            writer.append(_record(question, model, reply, options.licence))
            on_replies(1)

        session = _Session(model, iter(missing), keep, keep_going=options.keep_going)
        asyncio.run(session.run(options.concurrency if model.concurrent else 1))
        if not session.refusals:
            _sort(writer, path, questions)
    return session.refusals


class _Session:
    """Workers that take questions from one iterator until it, an interrupt or a failure ends them."""

    def __init__(
        self,
        model: AskableModel,
        questions: Iterator[Question],
        keep: Callable[[Question, ModelReply], None],
        *,
        keep_going: bool,
    ) -> None:
        self._model, self._questions, self._keep, self._keep_going = model, questions, keep, keep_going
        self._stopped = False
        self.refusals: list[Refusal] = []

    async def run(self, workers: int) -> None:
        tasks = [asyncio.create_task(self._work()) for _ in range(workers)]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
        finally:
            self._stopped = True
            await asyncio.wait(tasks)
        for task in tasks:
            task.result()

    async def _work(self) -> None:
        while not self._stopped and (question := next(self._questions, None)) is not None:
            messages = [message.model_dump() for message in question.messages]
            asking = self._model.ask_async(messages, question.parameters)
            [outcome] = await asyncio.gather(asking, return_exceptions=True)
            match outcome:
                case UsageError():  # asking the next question in the same way would not help
                    raise outcome
                case BaseException():
                    self.refusals.append(Refusal(question, outcome))
                    self._stopped |= not self._keep_going
                case reply:
                    self._keep(question, reply)


def _unanswered(questions: Sequence[Question], path: Path) -> list[Question]:
    recorded = {record.id: record for record in read_records(path)}
    for question in questions:
        _refuse_changed(path, question, recorded.get(question.id))
    return [question for question in questions if question.id not in recorded]


def _sort(writer: RecordWriter, path: Path, questions: Sequence[Question]) -> None:
    """Put the records into the order of their questions, behind any others in the file."""
    place = {question.id: number for number, question in enumerate(questions)}
    records = list(read_records(path))
    ordered = sorted(records, key=lambda record: place.get(record.id, -1))
    if ordered != records:
        writer.replace(ordered)


def _chosen(prompts: PromptFile, names: Sequence[str]) -> list[Configuration]:
    known = {configuration.name: configuration for configuration in prompts.configurations}
    for name in names:
        if name not in known:
            raise UsageError(f"no configuration {name!r}; the prompt file has {', '.join(known)}")
    return [known[name] for name in dict.fromkeys(names or known)]


def _parameters(configuration: Configuration, overriding: Mapping[str, JsonValue], sample: int) -> dict[str, JsonValue]:
    parameters = {**configuration.parameters, **overriding}
    if isinstance(seed := parameters.get("seed"), int):
        parameters["seed"] = seed + sample
    return parameters


def _refuse_changed(path: Path, question: Question, record: ReplyRecord | None) -> None:
    if record is None:
        return
    for what in ("messages", "parameters", "output"):
        if getattr(record, what) != getattr(question, what):
            raise UsageError(
                f"{path}: {record.id} was recorded with other {what}; delete it there or name another file"
            )


def _record(question: Question, model: AskableModel, reply: ModelReply, licence: str | None) -> ReplyRecord:
    """Build the record; whatever must not reach the disk has to be taken out here."""
    served = reply.model or model.name
    return ReplyRecord(
        id=question.id,
        prompt_id=question.prompt.id,
        sample=question.sample,
        family=question.prompt.family,
        configuration=question.configuration,
        messages=question.messages,
        model=Model(
            name=served,
            requested=model.name if served != model.name else None,
            provider=model.provider,
            revision=reply.revision,
        ),
        parameters=question.parameters,
        raw=reply.text,
        finish_reason=reply.finish_reason,
        output=question.output,
        time=datetime.now(UTC),
        source="llmout record",
        licence=licence,
    )
