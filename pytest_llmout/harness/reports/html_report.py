"""The session as one HTML page that needs no network; the text of replies is inert in it."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from pytest_llmout.harness.reports.row import Cell, row_of
from pytest_llmout.harness.summary import summary_lines
from pytest_llmout.harness.visible import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_llmout.harness.asked import Asked

_COLUMNS = ("test", "prompt_id", "sample", "model", "output", "outcome", "attempts", "kind", "reason", "observed")
_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Replies of this session</title>
<style>
body {{ font: 14px/1.5 system-ui, sans-serif; margin: 2rem; color: #1a1a1a; background: #fff }}
table {{ border-collapse: collapse }}
th, td {{ text-align: left; vertical-align: top; padding: .3rem .6rem; border-bottom: 1px solid #ddd }}
tr.rejected {{ background: #fdecea }}
pre {{ white-space: pre-wrap; max-width: 60rem; margin: .3rem 0 }}
</style>
<h1>Replies of this session</h1>
<ul>
{totals}
</ul>
<table>
<thead><tr>{header}<th scope="col">reply</th></tr></thead>
<tbody>
{rows}
</tbody>
</table>
</html>
"""


def html_report(asked: Sequence[Asked]) -> str:
    """Return the totals and a table with each reply, as written and canonical, behind a fold."""
    return _PAGE.format(
        totals="\n".join(f"<li>{_text(line)}</li>" for line in summary_lines(asked)),
        header="".join(f'<th scope="col">{name}</th>' for name in _COLUMNS),
        rows="\n".join(map(_row, asked)),
    )


def _row(asked: Asked) -> str:
    row = row_of(asked)
    cells = "".join(f"<td>{_text(row[name])}</td>" for name in _COLUMNS)
    texts = "".join(f"{name}<pre>{_text(row[name])}</pre>" for name in ("raw", "canonical") if row[name] is not None)
    fold = f"<details><summary>{len(asked.record.raw)} characters</summary>{texts}</details>"
    return f'<tr class="{asked.outcome}">{cells}<td>{fold}</td></tr>'


def _text(cell: Cell) -> str:
    return "" if cell is None else escape(printable(str(cell)))
