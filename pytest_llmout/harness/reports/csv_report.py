"""The session as a table for spreadsheets and data frames."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from pytest_llmout.harness.reports.row import row_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_llmout.harness.asked import Asked

_COLUMNS = (
    "test", "prompt_id", "sample", "model", "output", "outcome", "attempts",
    "kind", "reason", "observed", "changed", "replayed", "raw", "canonical",
)  # fmt: skip


def csv_report(asked: Sequence[Asked]) -> str:
    """Return RFC 4180 CSV with a header, which an empty session has too."""
    file = io.StringIO(newline="")
    writer = csv.DictWriter(file, _COLUMNS)
    writer.writeheader()
    writer.writerows(map(row_of, asked))
    return file.getvalue()
