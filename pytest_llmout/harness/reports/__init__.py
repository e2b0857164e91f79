"""The replies of a session as a file, in the format that its suffix names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_llmout.corpus.store import replace_file
from pytest_llmout.harness.reports.csv_report import csv_report
from pytest_llmout.harness.reports.html_report import html_report
from pytest_llmout.harness.reports.json_report import json_report
from pytest_llmout.harness.reports.jsonl_report import jsonl_report
from pytest_llmout.harness.reports.markdown_report import markdown_report
from pytest_llmout.harness.reports.xml_report import xml_report

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from pytest_llmout.harness.asked import Asked

REPORTS: dict[str, Callable[[Sequence[Asked]], str]] = {
    ".csv": csv_report,
    ".html": html_report,
    ".json": json_report,
    ".jsonl": jsonl_report,
    ".md": markdown_report,
    ".xml": xml_report,
}


def write_report(path: Path, asked: Sequence[Asked]) -> None:
    """Write the replies of a session, sorted by test, prompt and sample.

    Raises:
        OSError: The file cannot be written.
    """
    replies = sorted(asked, key=lambda reply: (reply.test, reply.record.prompt_id, reply.record.sample))
    replace_file(path, [REPORTS[path.suffix](replies).encode("utf-8", "backslashreplace")])
