"""Reflection, the worked consumer: what a model says is worth remembering after a run.

`json_output` owns the envelope, and this module what it means. A reflection is fire-and-forget: nobody waits for it, so
a bad one is logged and dropped, and a bad fact in a good one is dropped alone.
"""

from __future__ import annotations

import logging
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints, ValidationError

from pytest_llmout.boundary import redaction
from pytest_llmout.contract import Failure
from pytest_llmout.outputs.json_output import json_output

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pytest_llmout.boundary.run_record import RunRecord

MAX_FACTS = 5
DEFAULT_AUDIENCE = "org"

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Fact:
    """Something worth remembering."""

    text: str
    """What, redacted."""
    audience: str
    """Who may be told; `org` unless the model said otherwise."""
    confidence: float
    """How sure the model is, from 0.6 to 1."""


@dataclass(frozen=True, slots=True)
class Reflection:
    """What is kept of a reflection."""

    facts: tuple[Fact, ...]
    """The first good facts, at most five."""
    summary: str | None = None
    """Redacted."""
    dropped: int = 0
    """How many facts were bad or too many."""


_Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class _Envelope(BaseModel):
    facts: list[JsonValue]
    summary: JsonValue = None


class _FactIn(BaseModel):
    model_config = ConfigDict(strict=True)

    text: _Words
    audience: _Words | None = None
    confidence: float = Field(ge=0.6, le=1)


_OUTPUT = json_output(_Envelope, name="reflection", extract="embedded")


def parse_reflection(raw: str, *, redact: Callable[[str], str] = redaction.redact) -> Reflection | Failure:
    """Read a reflection leniently: an object with a list `facts` and perhaps a text `summary`.

    A fact is an object with `text`, `confidence` from 0.6 to 1 and perhaps `audience`. Anything else is dropped alone,
    also an audience that is no text, since to guess it could tell the wrong people. A summary that is no text is left
    out.

    Returns:
        The reflection, or the failure if the reply holds no such object.
    """
    outcome = _OUTPUT.parse(raw)
    if isinstance(outcome, Failure):
        return outcome
    facts = tuple(_facts(outcome.value.facts, redact))[:MAX_FACTS]
    summary = outcome.value.summary
    words = redact(summary) if isinstance(summary, str) and summary.strip() else None
    return Reflection(facts, words, dropped=len(outcome.value.facts) - len(facts))


def record_reflection(run: RunRecord, raw: str) -> None:
    """Keep the reflection on a run in its record; one whose envelope is bad is logged and dropped.

    Raises:
        UsageError: The record cannot be written.
    """
    match parse_reflection(raw):
        case Failure(kind, observed, reason):
            _LOG.warning("reflection dropped: %s (%s): %s", kind, reason, redaction.redact(observed))
        case Reflection() as reflection:
            run.append({"type": "reflection"} | asdict(reflection))


def _facts(items: Sequence[JsonValue], redact: Callable[[str], str]) -> Iterator[Fact]:
    for item in items:
        try:
            fact = _FactIn.model_validate(item)
        except ValidationError:
            continue
        yield Fact(redact(fact.text), fact.audience or DEFAULT_AUDIENCE, fact.confidence)
