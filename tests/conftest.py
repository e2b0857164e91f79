from __future__ import annotations

import os

import pytest


@pytest.fixture(autouse=True)
def _no_worker_of_an_outer_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the runs that a test starts not take themselves for workers of the run that the test belongs to."""
    for name in [name for name in os.environ if name.startswith("PYTEST_XDIST_")]:
        monkeypatch.delenv(name)
