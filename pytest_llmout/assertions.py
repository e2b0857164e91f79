"""Assertions about replies; each is a function here and a fixture of the same name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from pytest_llmout.contract import Failure, FailureKind, Ok, OutputType
from pytest_llmout.errors import UsageError
from pytest_llmout.harness.difference import render_difference
from pytest_llmout.harness.habits import departures
from pytest_llmout.harness.visible import visible
from pytest_llmout.outputs.markdown_output import markdown_output

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path

    from pytest_llmout.corpus.record import ReplyRecord

T = TypeVar("T")
_SHOWN_CHARACTERS = 200


def assert_canonical(raw: str, output_type: OutputType[Any] | None = None) -> None:
    """Assert that a reply is already written in its canonical form.

    Args:
        raw: The reply, exactly as written.
        output_type: The contract that says what canonical means; Markdown if not given.

    Raises:
        AssertionError: Normalisation would change the reply (with a diff), or the reply breaks its contract.
        UsageError: `raw` is not a text.
    """
    __tracebackhide__ = True
    output_type = markdown_output() if output_type is None else output_type
    match output_type.parse(_text(raw)):
        case Ok(canonical=canonical) if canonical == raw:
            return
        case Ok(canonical=canonical):
            labels = {"before_label": "the reply as written", "after_label": f"its canonical {output_type.name} form"}
            _fail(
                f"expected a reply in canonical {output_type.name}; normalisation changes it",
                render_difference(raw, canonical, **labels),
                "if the reply is fine as it is, compare its canonical form instead; else correct the prompt",
            )
        case Failure() as failure:
            _fail(
                f"expected a reply in canonical {output_type.name}; it breaks the contract",
                [_describe(failure), _reply(raw)],
                "correct the prompt, or expect this failure with assert_failure_kind",
            )


def assert_accepts(output_type: OutputType[T], raw: str) -> Ok[T]:
    """Assert that a reply keeps its contract, and return what it was read as.

    Raises:
        AssertionError: The reply breaks the contract.
        UsageError: `raw` is not a text.
    """
    __tracebackhide__ = True
    outcome = output_type.parse(_text(raw))
    if isinstance(outcome, Failure):
        _fail(
            f"expected a reply that {output_type.name} accepts",
            [_describe(outcome), _reply(raw)],
            "correct the prompt or the schema, or expect this failure with assert_failure_kind",
        )
    return outcome


def assert_failure_kind(
    output_type: OutputType[Any], raw: str, kind: FailureKind | str, reason: str | None = None
) -> Failure:
    """Assert that a reply breaks its contract in a given way, and return the failure.

    Args:
        output_type: The contract.
        raw: The reply, exactly as written.
        kind: `syntax` or `schema`.
        reason: The machine code within the kind; any if not given.

    Raises:
        AssertionError: The reply is accepted, or fails in another way.
        UsageError: There is no such kind, or `raw` is not a text.
    """
    __tracebackhide__ = True
    expected = _kind(kind)
    wanted = f"expected {output_type.name} to report a {expected} failure" + (f" ({reason})" if reason else "")
    outcome = output_type.parse(_text(raw))
    if isinstance(outcome, Ok):
        details = [f"the reply is accepted as {_shortened(outcome.canonical)}", _reply(raw)]
        _fail(wanted, details, "tighten the schema if it should not be accepted, or use assert_accepts")
    if outcome.kind is not expected or reason not in {None, outcome.reason}:
        _fail(wanted, [_describe(outcome), _reply(raw)], "expect this failure instead if it is right")
    return outcome


def assert_same_dialect(
    raw: str, baseline: str | Path | Iterable[ReplyRecord], features: Collection[str] | None = None
) -> None:
    """Assert that a reply is written with the habits of recorded replies.

    It fails if the reply shows a dialect feature that none of them shows, or lacks one that each of them shows. One
    recorded reply makes a strict baseline, twenty replies to one prompt a tolerant one.

    Args:
        raw: The reply, exactly as written.
        baseline: Recorded replies, or the file or folder they are in.
        features: The dialect features to look at, by name; all of them if not given.

    Raises:
        AssertionError: The reply departs from the baseline; each habit is named and defined.
        UsageError: The baseline is empty or cannot be read, there is no such feature, or `raw` is not a text.
    """
    __tracebackhide__ = True
    found = departures(_text(raw), baseline, features)
    if found:
        _fail(
            "expected a reply in the dialect of the recorded ones",
            [*found, _reply(raw)],
            "correct the prompt, or record the baseline again if the new habit is welcome",
        )


def _text(raw: object) -> str:
    if not isinstance(raw, str):
        raise UsageError(f"a reply is compared as text, not as {type(raw).__name__}: pass its raw or canonical text")
    return raw


def _kind(kind: FailureKind | str) -> FailureKind:
    try:
        return FailureKind(kind)
    except ValueError:
        raise UsageError(f"no failure kind {kind!r}: it is one of {', '.join(FailureKind)}") from None


def _describe(failure: Failure) -> str:
    return f"observed a {failure.kind} failure ({failure.reason}): {failure.observed}"


def _reply(raw: str) -> str:
    return f"the reply, {len(raw)} characters: {_shortened(raw)}"


def _shortened(text: str) -> str:
    return visible(text[:_SHOWN_CHARACTERS]) + ("…" if len(text) > _SHOWN_CHARACTERS else "")


def _fail(expectation: str, details: Iterable[str], advice: str) -> NoReturn:
    __tracebackhide__ = True
    raise AssertionError("\n".join([expectation, *details, f"next: {advice}"]))
