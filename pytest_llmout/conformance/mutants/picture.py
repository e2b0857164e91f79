"""The kill matrix as a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import altair as alt
import pandas as pd

from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from pytest_llmout.conformance.mutants.matrix import Row

_SUFFIXES = (".html", ".png", ".svg")


def check_suffix(path: Path) -> None:
    """Refuse a file that no picture can be written to, before the work is done."""
    if path.suffix not in _SUFFIXES:
        raise UsageError(f"{path}: a picture ends in {', '.join(_SUFFIXES)}")


def write_picture(path: Path, tables: Mapping[str, tuple[Sequence[str], Sequence[Row]]]) -> None:
    """Write a chart for each table: a mutant a row, an invariant a column, a mark where one kills the other."""
    charts = [_chart(title, names, rows) for title, (names, rows) in tables.items()]
    path.parent.mkdir(parents=True, exist_ok=True)
    alt.hconcat(*charts).save(path)


def _chart(title: str, names: Sequence[str], rows: Sequence[Row]) -> Any:  # noqa: ANN401  altair types its own methods as Any
    kills = pd.DataFrame(
        [(row.mutant, name, "first" if name == row.killers[0] else "also") for row in rows for name in row.killers],
        columns=["mutant", "invariant", "kill"],
    )
    mutants = [row.mutant for row in rows]
    return (
        alt.Chart(kills, title=f"Faulty {title}: what kills them")
        .mark_rect()
        .encode(
            alt.X("invariant:N", scale=alt.Scale(domain=list(names)), title=None, axis=alt.Axis(orient="top")),
            alt.Y("mutant:N", scale=alt.Scale(domain=mutants), title=None, axis=alt.Axis(labelLimit=300)),
            alt.Color(
                "kill:N", scale=alt.Scale(domain=["first", "also"], range=["#1f4e79", "#9dc3e6"]), title="killed"
            ),
        )
    )
