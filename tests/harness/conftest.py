from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from _typeshed import TraceFunction


@pytest.fixture
def steps() -> Callable[[Callable[[], object]], int]:
    """Count the lines of Python that a call executes: a cost that no clock disturbs."""

    def count(call: Callable[[], object]) -> int:
        counted = 0

        def trace(_frame: FrameType, event: str, _argument: object) -> TraceFunction:
            nonlocal counted
            counted += event == "line"
            return trace

        previous = sys.gettrace()
        sys.settrace(trace)
        try:
            call()
        finally:
            sys.settrace(previous)
        return counted

    return count
