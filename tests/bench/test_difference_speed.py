"""A failing comparison of a long reply answers while a person waits."""

from __future__ import annotations

import time

import pytest

from pytest_llmout import canonicalize_markdown
from pytest_llmout.harness.difference import render_difference

MEGABYTE = 1_000_000
ALLOWED_SECONDS = 2.0


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("x" * MEGABYTE + "a", "x" * MEGABYTE + "b", id="one-line"),
        pytest.param("\n" * MEGABYTE, "x\n" * (MEGABYTE // 2), id="short-lines"),
        pytest.param("a *b* c\n\n" * (MEGABYTE // 9), None, id="its-canonical-form"),
    ],
)
def test_a_megabyte_takes_at_most_two_seconds(before: str, after: str | None) -> None:
    expected = canonicalize_markdown(before) if after is None else after
    start = time.perf_counter()
    lines = render_difference(before, expected, before_label="before", after_label="after")
    seconds = time.perf_counter() - start

    print(f"{len(lines)} lines in {seconds:.2f} s")
    assert seconds <= ALLOWED_SECONDS
    assert len(lines) <= 200
