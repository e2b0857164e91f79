"""The session as one JSON object: totals, then a row a reply."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

from pytest_llmout.harness.reports.row import row_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_llmout.harness.asked import Asked


def json_report(asked: Sequence[Asked]) -> str:
    """Return strict JSON, escaped to ASCII."""
    outcomes = Counter(reply.outcome for reply in asked)
    totals = {"replies": len(asked), **{name: outcomes[name] for name in ("accepted", "re-asked", "rejected")}}
    return json.dumps({"totals": totals, "replies": [row_of(reply) for reply in asked]}, indent=1) + "\n"
