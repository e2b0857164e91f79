from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import pytest
from jsonl_cases import read_cases
from slow_reference import slow_canonical

from pytest_llmout import canonicalize_markdown
from pytest_llmout.conformance import CanonicalizerSuite, ConformanceError, check_canonicalizer
from pytest_llmout.conformance.case import Subject
from pytest_llmout.conformance.hunt import broken, survey, texts
from pytest_llmout.conformance.invariants import INVARIANTS, NAMES
from pytest_llmout.conformance.invariants.size import KNOWN
from pytest_llmout.conformance.mutants.canonicalizers import CANONICALIZERS
from pytest_llmout.conformance.mutants.promotion import Promotion
from pytest_llmout.conformance.specimens import SPECIMENS

if TYPE_CHECKING:
    from collections.abc import Callable

GENERATED = 40
WITNESSES = read_cases("mutant_witnesses.jsonl")


class TestOurs(CanonicalizerSuite):
    max_examples = GENERATED

    @staticmethod
    def canonicalize(raw: str) -> str:
        return canonicalize_markdown(raw)


class TestKnownFaults(CanonicalizerSuite):
    max_examples = 1
    xfails = {"elsewhere": "this one writes a line end"}  # noqa: RUF012  as a user writes it

    @staticmethod
    def canonicalize(raw: str) -> str:
        return canonicalize_markdown(raw) if raw.endswith("\n") or len(raw) > 5 else f"{canonicalize_markdown(raw)}\n"


@pytest.fixture(scope="module")
def short() -> list[str]:
    *short, _units, _known = texts(max_examples=GENERATED, seed=1)
    return list(chain.from_iterable(short))


def no_alarm(function: Callable[[str], object], given: list[str]) -> bool:
    return [finding for raw in given if (finding := broken(Subject(function), raw))] == []


def test_an_implementation_over_another_parser_raises_no_alarm(short: list[str]) -> None:
    assert no_alarm(Promotion(), short)


def test_the_slow_reference_raises_no_alarm(short: list[str]) -> None:
    assert no_alarm(slow_canonical, short)


@pytest.mark.parametrize("case", WITNESSES, ids=[case["id"] for case in WITNESSES])
def test_every_mutant_is_killed_for_its_fault(case: dict[str, Any]) -> None:
    subject = Subject(CANONICALIZERS[case["id"]])
    text = list(KNOWN)[case["known"]] if "known" in case else case.get("text")
    # What depends on earlier calls shows itself only after some.
    found = survey(subject, SPECIMENS if text is None else [*case.get("before", []), text])
    assert case["invariant"] in found


@pytest.mark.parametrize("depth", [100, 500, 1_000, 3_000])
def test_a_text_too_deep_for_the_judges_is_held_against_nobody(depth: int) -> None:
    assert broken(Subject(canonicalize_markdown), "> " * depth + "*a*") is None


def test_every_mutant_has_a_witness_and_every_invariant_a_mutant_of_its_own() -> None:
    assert len(CANONICALIZERS) >= 50
    assert [case["id"] for case in WITNESSES] == list(CANONICALIZERS)
    assert {case["invariant"] for case in WITNESSES} == set(NAMES)


@pytest.mark.parametrize("mutant", ["proves_nothing", "returns_a_pair", "strips"])
def test_a_check_raises_with_the_smallest_text(mutant: str) -> None:
    with pytest.raises(ConformanceError) as caught:
        check_canonicalizer(CANONICALIZERS[mutant], max_examples=10)
    finding = caught.value.finding
    assert len(finding.text) <= 20
    assert str(caught.value).startswith(f"{finding.invariant}: {finding.rule}\n  text    ")
    assert "\n  got     " in str(caught.value)
    assert "\n  wanted  " in str(caught.value)


def test_an_invariant_says_its_rule_in_a_sentence() -> None:
    assert [invariant.name for invariant in INVARIANTS] == list(NAMES)
    assert all(invariant.rule.endswith(".") for invariant in INVARIANTS)


def test_a_suite_without_a_canonicaliser_says_what_to_do() -> None:
    with pytest.raises(NotImplementedError, match="define canonicalize"):
        CanonicalizerSuite.canonicalize("a")
