from __future__ import annotations

import time

import pytest

from pytest_llmout.boundary.redaction import redact

HOSTILE = [
    "eyJ-",
    "password",
    "password: ",
    "--token",
    "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\n" + "A" * 64 + "\n",
    "-----BEGIN PRIVATE KEY-----" + "- " * 50,
    "://a:",
    "bearer ",
    "cookie: a=",
    "authorization: digest response=",
    "M" * 24 + ".",
    "&key=",
    "_-",
]


@pytest.mark.parametrize("piece", HOSTILE)
def test_hostile_text_costs_linear_time(piece: str) -> None:
    def cost(size: int) -> float:
        text = piece * (size // len(piece))
        begin = time.process_time()
        redact(text)
        return time.process_time() - begin

    # Sixteen times the text, at most 64 times the time: quadratic growth would take 256 times, and noise does not.
    assert cost(320_000) <= 64 * max(min(cost(20_000) for _ in range(3)), 0.002)
