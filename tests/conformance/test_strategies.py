from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st
from json_case_schemas import Task

from pytest_llmout import Failure, Ok, UsageError, json_output
from pytest_llmout.conformance.sampling import samples
from pytest_llmout.strategies import (
    FAULTS,
    Damaged,
    Fault,
    damaged,
    dialects,
    emphasis,
    json_replies,
    markdown_replies,
    near_markdown,
)

SMALL = settings(max_examples=40, deadline=None)
OUTPUT = json_output(Task)


@SMALL
@given(json_replies(Task))
def test_replies_keep_their_contract(raw: str) -> None:
    assert isinstance(OUTPUT.parse(raw), Ok)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_damage_causes_what_its_label_says(fault: Fault) -> None:
    for broken in samples(damaged(json_replies(Task), faults=[fault]), 4, seed=0):
        outcome = OUTPUT.parse(broken.text)
        assert isinstance(outcome, Failure)
        assert (outcome.kind, outcome.reason) == (fault.kind, fault.reason)


@SMALL
@given(st.data())
def test_a_dialect_spells_the_same_value(data: st.DataObject) -> None:
    tree: Any = {"b": ["é`", 1.5, None], "a": {"d": True, "c": 2}}
    outcome = json_output(Any).parse(data.draw(dialects(tree)))
    assert isinstance(outcome, Ok)
    assert outcome.value == tree


@pytest.mark.parametrize(
    ("strategy", "condition", "smallest"),
    [
        (emphasis(), lambda raw: "*" in raw, "*"),
        (near_markdown(), lambda raw: "*" in raw, "*"),
        (markdown_replies(), lambda raw: "*" in raw, 40),
        (markdown_replies(), lambda raw: "|---" in raw, 60),
        (json_replies(Task), lambda raw: "title" in raw, 40),
        (damaged(json_replies(Task)), lambda broken: isinstance(broken, Damaged), 0),
    ],
    ids=["emphasis", "near", "reply", "table", "json", "damaged"],
)
def test_examples_shrink_to_something_readable(
    strategy: st.SearchStrategy[Any], condition: Callable[[Any], bool], smallest: str | int
) -> None:
    found = find(
        strategy, condition, settings=settings(max_examples=300, database=None, deadline=None, derandomize=True)
    )
    text = found.text if isinstance(found, Damaged) else found
    assert len(text) <= smallest if isinstance(smallest, int) else text == smallest


def test_replies_are_long_enough_to_hide_a_fault() -> None:
    lengths = sorted(map(len, samples(markdown_replies(), 100, seed=0)))
    assert lengths[0] < 20
    assert lengths[-1] > 1_000


def test_a_schema_of_which_no_value_can_be_made_is_refused() -> None:
    with pytest.raises(UsageError, match="write a strategy of its replies yourself"):
        json_replies(Callable)


def test_samples_depend_on_the_seed_alone() -> None:
    assert samples(emphasis(), 20, seed=1) == samples(emphasis(), 20, seed=1)
    assert samples(emphasis(), 20, seed=1) != samples(emphasis(), 20, seed=2)
