"""Case tables: one JSON object a line, one test each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

CASES = Path(__file__).parent.parent / "cases"


def read_cases(name: str) -> list[dict[str, Any]]:
    """Return the cases of `tests/cases/<name>`, each with an `id` of its own."""
    lines = (CASES / name).read_text(encoding="utf-8").split("\n")
    cases: list[dict[str, Any]] = [json.loads(line) for line in lines if line]
    ids = [case["id"] for case in cases]
    assert len(set(ids)) == len(ids), f"{name}: an id stands twice"
    return cases
