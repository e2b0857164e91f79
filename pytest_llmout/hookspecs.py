"""The hooks that this plugin asks other plugins and `conftest.py` files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.hookspec
def pytest_llmout_redact(config: pytest.Config) -> Callable[[str], str] | None:
    """Return a function that takes secrets out of a text.

    Each text of a prompt and a reply goes through all of them, after the built-in one, before it is written to a
    recording or a report. The function must be deterministic: the redacted prompt is what a later run compares.
    """
