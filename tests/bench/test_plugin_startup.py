"""What the plugin costs a suite that does not use it."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from resource import RUSAGE_CHILDREN, getrusage
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

ROUNDS = 15
ALLOWED_SECONDS = 0.020


def test_it_costs_at_most_20_ms(tmp_path: Path) -> None:
    (tmp_path / "test_plain.py").write_text("def test_plain():\n    assert True\n", encoding="utf-8")
    # In turns, so that whatever else the machine does falls on both alike.
    pairs = [(cpu_seconds(tmp_path, "-p", "pytest_llmout.plugin"), cpu_seconds(tmp_path)) for _ in range(ROUNDS)]
    cost = statistics.median(with_plugin - without for with_plugin, without in pairs)

    print(
        f"the plugin costs {1000 * cost:.1f} ms of {1000 * statistics.median(without for _, without in pairs):.0f} ms"
    )
    assert cost <= ALLOWED_SECONDS


def cpu_seconds(folder: Path, *options: str) -> float:
    """Return the processor time of one pytest run, which waiting for a processor does not add to."""
    before = getrusage(RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options]
    # Both compile once, in the first round, as an installed package is.
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": ""}
    subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=True)  # noqa: S603  our own words
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
