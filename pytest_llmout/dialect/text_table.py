"""Tables for a terminal and for a pull request."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Any

from pytest_llmout.dialect.families import FEATURES

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    import pandas as pd

Rows = list[list[str]]

_MARKDOWN_SPECIAL = re.compile(r"([\\`*_\[\]<>|~$&#!])")


def label(values: Sequence[object]) -> str:
    """Name a group by what it is keyed on; a key without a value is left out."""
    return " · ".join(str(value) for value in values if value) or "all replies"


def group_names(summary: pd.DataFrame, by: Sequence[str]) -> tuple[str, list[str]]:
    """Return what the groups of a summary have in common, if anything, and a name for each by what it has not."""
    groups = summary[list(by)].drop_duplicates()
    differing = [key for key in by if len(set(groups[key])) > 1]
    shared = groups.iloc[0][[key for key in by if key not in differing]]
    common = label(shared.tolist()) if any(shared) else ""
    values = list(groups[differing].itertuples(index=False, name=None))
    names = [label(row) for row in values]
    if len(set(names)) < len(names):  # what stands under one key here stands under another there
        names = [", ".join(f"{key}={value}" for key, value in zip(differing, row, strict=True)) for row in values]
    return common, names


def share_rows(summary: pd.DataFrame, by: Sequence[str]) -> Rows:
    """Return features as rows and groups as columns, the head first: the share of replies that show each feature.

    Features that no reply shows are left out; `-` stands where a feature applies to no reply of the group.
    """
    _, names = group_names(summary, by)
    groups = summary.groupby(list(by), sort=True)
    columns = [{row["feature"]: row for row in group.to_dict("records")} for _, group in groups]
    counts = ["replies", *(str(max(row["n"] for row in column.values())) for column in columns)]
    seen = [name for name in FEATURES if any(column[name]["replies"] for column in columns)]
    return [["feature", *names], counts, *([name, *(_share(column[name]) for column in columns)] for name in seen)]


def _share(row: dict[Hashable, Any]) -> str:
    return "-" if row["n"] == 0 else f"{row['replies'] / row['n']:.1%}"


def plain_table(rows: Rows) -> str:
    """Lay rows out in columns, the first to the left and the others to the right; wide characters count as two."""
    rows = [[one_line(cell) for cell in row] for row in rows]
    widths = [max(_width(row[index]) for row in rows) for index in range(len(rows[0]))]
    return "\n".join(
        "  ".join(_pad(cell, widths[i], left=i == 0) for i, cell in enumerate(row)).rstrip() for row in rows
    )


def markdown_table(rows: Rows) -> str:
    """Write rows as a GFM table; whatever stands in a cell is shown as it is and never shifts a column."""
    head, *body = [[escaped(cell) for cell in row] for row in rows]
    rule = ["---", *(["---:"] * (len(head) - 1))]
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, rule, *body])


def escaped(text: str) -> str:
    """Return Markdown that shows a text as it is, in one line."""
    return _MARKDOWN_SPECIAL.sub(r"\\\1", one_line(text))


def one_line(cell: str) -> str:
    """Return a text without line ends, control characters and lone surrogates."""
    text = cell.encode("utf-8", "backslashreplace").decode()
    return "".join(" " if unicodedata.category(char)[0] in "CZ" and char != " " else char for char in text)


def _width(cell: str) -> int:
    return sum(_char_width(char) for char in cell)


def _char_width(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _pad(cell: str, width: int, *, left: bool) -> str:
    space = " " * (width - _width(cell))
    return cell + space if left else space + cell
