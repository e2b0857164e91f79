"""The report: one HTML file that opens without a network, and the table behind it as CSV."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jinja2 import Environment, PackageLoader, StrictUndefined

from pytest_llmout.dialect.families import FAMILIES
from pytest_llmout.dialect.tables import csv_text
from pytest_llmout.dialect.text_table import share_rows

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import pandas as pd

_TEMPLATES = Environment(
    loader=PackageLoader("pytest_llmout.dialect"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
)


def write_report(summary: pd.DataFrame, by: Sequence[str], directory: Path) -> list[Path]:
    """Write `report.html` and `dialect.csv` into a folder; the same replies give the same bytes.

    Args:
        summary: What `summarise` returned.
        by: The keys it was grouped by.
        directory: The folder, made if need be.
    """
    texts = {"report.html": report_html(summary, by), "dialect.csv": csv_text(summary)}
    directory.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        (directory / name).write_text(text, encoding="utf-8", errors="backslashreplace", newline="")
    return [directory / name for name in texts]


def report_html(summary: pd.DataFrame, by: Sequence[str]) -> str:
    """Return the page."""
    head, *rows = share_rows(summary, by)
    return _TEMPLATES.get_template("report.html").render(head=head, rows=rows, families=FAMILIES)
