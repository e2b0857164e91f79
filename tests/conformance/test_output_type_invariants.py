from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import strategies as st

from pytest_llmout import accept_output, json_output, markdown_output
from pytest_llmout.conformance import ConformanceError, OutputTypeSuite, check_output_type, check_reask_loop
from pytest_llmout.conformance.mutants.matrix import Row, only_kills, output_type_rows
from pytest_llmout.conformance.mutants.output_types import OUTPUT_TYPES, Task, right
from pytest_llmout.conformance.output_invariants import NAMES
from pytest_llmout.contract import Accepted, Failure, OutputType, Rejected

Outcome = Accepted[str] | Rejected
Reask = Callable[[Failure], str] | None


class TestOurs(OutputTypeSuite):
    output_type = right
    max_examples = 30


class TestGivenReplies(OutputTypeSuite):
    output_type = json_output(int, request_hint="a number")
    replies = st.integers(-99, 99).map(str)
    faults = ()
    max_examples = 10


@pytest.mark.parametrize(
    "output_type",
    [markdown_output(), json_output(list[int]), json_output(dict[str, float]), json_output(Task, extract="embedded")],
    ids=["markdown", "list", "dict", "embedded"],
)
def test_correct_output_types_raise_no_alarm(output_type: OutputType[object]) -> None:
    faults = () if getattr(output_type, "extract", "") == "embedded" else None
    check_output_type(output_type, faults=faults, max_examples=20)


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return list(output_type_rows(max_examples=25, seed=0))


def test_every_mutant_is_killed(rows: list[Row]) -> None:
    assert len(rows) >= 25
    assert [row.mutant for row in rows if not row.killers] == []


def test_every_invariant_kills_what_no_other_kills_before(rows: list[Row]) -> None:
    assert [name for name, first in only_kills(rows, NAMES).items() if not first] == []


def test_a_check_raises_the_most_basic_finding() -> None:
    with pytest.raises(ConformanceError, match=r"^observed: "):
        check_output_type(OUTPUT_TYPES["observes_two_lines"], max_examples=4)


def forgets_the_last(output: OutputType[str], raw: str, reask: Reask = None) -> Outcome:
    return replace(accept_output(output, raw, reask), history=())


def never_asks(output: OutputType[str], raw: str, _reask: Reask = None) -> Outcome:
    return accept_output(output, raw)


def asks_without_end(output: OutputType[str], raw: str, reask: Reask = None) -> Outcome:
    outcome = accept_output(output, raw, reask)
    return accept_output(output, reask(outcome.failure)) if reask and isinstance(outcome, Rejected) else outcome


def swallows_errors(output: OutputType[str], raw: str, reask: Reask = None) -> Outcome:
    try:
        return accept_output(output, raw, reask)
    except ConnectionError:
        return accept_output(output, raw)


def drops_the_note(output: OutputType[str], raw: str, reask: Reask = None) -> Outcome:
    try:
        return accept_output(output, raw, reask)
    except ConnectionError as error:
        del error.__notes__
        raise


@pytest.mark.parametrize(
    ("loop", "rule"),
    [
        (forgets_the_last, "outcome"),
        (never_asks, "outcome"),
        (asks_without_end, "outcome"),
        (swallows_errors, "propagates"),
        (drops_the_note, "propagates"),
    ],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_a_faulty_loop_is_found(loop: Callable[..., Outcome], rule: str) -> None:
    with pytest.raises(ConformanceError, match=f"^{rule}: "):
        check_reask_loop(loop)


def test_our_loop_holds() -> None:
    check_reask_loop(accept_output)
