"""The types of the fixtures that the plugin's tests share."""

from collections.abc import Callable
from typing import TypeAlias

import pytest

from pytest_llmout.corpus.record import ReplyRecord

Run: TypeAlias = Callable[..., pytest.RunResult]
"""Runs pytest on the pytester project with the given arguments."""
Calls: TypeAlias = Callable[[], list[tuple[list[dict[str, str]], dict[str, object]]]]
"""Tells which messages and parameters the scripted model was given."""
Recordings: TypeAlias = Callable[[], dict[str, list[ReplyRecord]]]
"""Tells what is recorded, by file name."""
