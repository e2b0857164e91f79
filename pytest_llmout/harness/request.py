"""What a test asks: the part of a recording that must not have changed for a reply to be replayed."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pytest_llmout.corpus.record import Message, Output, ReplyRecord
from pytest_llmout.harness.difference import render_difference
from pytest_llmout.outputs.json_output import JsonOutput

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from pydantic import JsonValue

    from pytest_llmout.contract import OutputType


@dataclass(frozen=True, slots=True)
class Request:
    """One request, whichever sample of it."""

    messages: tuple[Message, ...]
    """The conversation."""
    parameters: Mapping[str, JsonValue]
    """Sampling parameters; an integer `seed` is that of sample 0 and counts up with the sample."""
    output: Output
    """The contract of the reply."""

    @classmethod
    def of_record(cls, record: ReplyRecord) -> Request:
        """Return the request that a recorded reply answers."""
        parameters = _with_seed(record.parameters, -record.sample)
        return cls(record.messages, parameters, record.output or Output(type="text"))

    def sampled(self, sample: int) -> Mapping[str, JsonValue]:
        """Return the parameters that a sample is asked with."""
        return _with_seed(self.parameters, sample)

    def redacted(self, redact: Callable[[str], str]) -> Request:
        """Return the request as it may be written."""
        messages = tuple(Message(role=message.role, content=redact(message.content)) for message in self.messages)
        parameters = {name: redacted_json(value, redact) for name, value in self.parameters.items()}
        return Request(messages, parameters, self.output)

    @property
    def key(self) -> str:
        """The text that two requests share if and only if they are the same."""
        return json.dumps(self._fields(), sort_keys=True)

    @property
    def digest(self) -> str:
        """A short name for the request, the same wherever it stands."""
        return hashlib.sha256(self.key.encode()).hexdigest()[:12]

    def changes_from(self, recorded: Request) -> Iterator[str]:
        """Describe in lines what differs from a recorded request."""
        if self.messages != recorded.messages:
            yield "the messages changed:"
            labels = {"before_label": "recorded", "after_label": "asked now"}
            yield from render_difference(_shown(recorded.messages), _shown(self.messages), **labels)
        for name in sorted({*self.parameters, *recorded.parameters}):
            before, after = recorded.parameters.get(name), self.parameters.get(name)
            if json.dumps(before) != json.dumps(after):
                yield f"the parameter {name} changed: {before!r} when recorded, {after!r} now"
        if self.output.type != recorded.output.type:
            yield f"the output type changed: {recorded.output.type} when recorded, {self.output.type} now"
        if json.dumps(self.output.schema_, sort_keys=True) != json.dumps(recorded.output.schema_, sort_keys=True):
            yield "the schema changed:"
            labels = {"before_label": "recorded", "after_label": "asked now"}
            yield from render_difference(_json(recorded.output.schema_), _json(self.output.schema_), **labels)

    def _fields(self) -> dict[str, Any]:
        return {
            "messages": [message.model_dump() for message in self.messages],
            "parameters": dict(self.parameters),
            "output": self.output.model_dump(by_alias=True),
        }


def output_of(output_type: OutputType[Any]) -> Output:
    """Return how a record names a contract."""
    schema = output_type.judge.json_schema() if isinstance(output_type, JsonOutput) else None
    return Output(type=output_type.name, schema=schema)


def redacted_json(value: JsonValue, redact: Callable[[str], str]) -> JsonValue:
    """Redact every text within a JSON value."""
    match value:
        case str():
            return redact(value)
        case list():
            return [redacted_json(item, redact) for item in value]
        case dict():
            return {name: redacted_json(item, redact) for name, item in value.items()}
        case _:
            return value


def _with_seed(parameters: Mapping[str, JsonValue], offset: int) -> dict[str, JsonValue]:
    seed = parameters.get("seed")
    return {**parameters, "seed": seed + offset} if isinstance(seed, int) else dict(parameters)


def _shown(messages: tuple[Message, ...]) -> str:
    return "\n".join(f"[{message.role}]\n{message.content}" for message in messages)


def _json(value: JsonValue) -> str:
    return json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False)
