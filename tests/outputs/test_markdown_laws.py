from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_laws import LAWS, equal_to_the_slow_reference
from markdown_texts import GENERATED, SPECIFICATION_TEXTS, case_texts, corpus_texts, random_dense_text

if TYPE_CHECKING:
    from collections.abc import Callable

each_law = pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)


@each_law
@pytest.mark.parametrize("kind", GENERATED)
@given(data=st.data())
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_law_on_generated_text(law: Callable[[str], None], kind: str, data: st.DataObject) -> None:
    law(data.draw(GENERATED[kind]))


@each_law
def test_law_on_cases_and_on_the_specification(law: Callable[[str], None]) -> None:
    for raw in (*case_texts(), *SPECIFICATION_TEXTS):
        law(raw)


@each_law
def test_law_on_the_corpus(law: Callable[[str], None]) -> None:
    for raw in corpus_texts():
        law(raw)


def test_equal_to_the_slow_reference_on_many_texts() -> None:
    random = Random(2026)  # noqa: S311  texts, not secrets
    for _ in range(20_000):
        equal_to_the_slow_reference(random_dense_text(random))
