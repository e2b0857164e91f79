"""The report: one HTML file that opens without a network, and the tables behind it as CSV."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from typing import TYPE_CHECKING

import pandas as pd
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from pytest_llmout.boundary.surfaces.agreement import REASONS
from pytest_llmout.counted import counted
from pytest_llmout.dialect.charts import heat_map, png, scripts, slopes, svg
from pytest_llmout.dialect.drift import Verdict
from pytest_llmout.dialect.drift_formats import COLUMNS, change, changes, drift_rows, headline, outcome, sides
from pytest_llmout.dialect.families import FAMILIES, FEATURES
from pytest_llmout.dialect.tables import csv_text

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_llmout.dialect.charts import Spec
    from pytest_llmout.dialect.findings import Findings

_TEMPLATES = Environment(
    loader=PackageLoader("pytest_llmout.dialect"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def write_report(findings: Findings, directory: Path, *, pictures: bool = False) -> list[Path]:
    """Write `report.html`, `dialect.csv` and `drift.csv` into a folder; the same replies give the same bytes.

    Args:
        findings: What `gather` returned.
        directory: The folder, made if need be.
        pictures: Whether to write each chart as SVG and PNG too.
    """
    charts = _charts(findings)
    files = {
        "report.html": _encode(report_html(findings, charts)),
        "dialect.csv": _encode(csv_text(findings.summary)),
        "drift.csv": _encode(csv_text(_drift_table(findings))),
    }
    for name, spec in charts.items() if pictures else ():
        files |= {f"{name}.svg": _encode(svg(spec)), f"{name}.png": png(spec)}
    directory.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (directory / name).write_bytes(content)
    return [directory / name for name in files]


def report_html(findings: Findings, charts: dict[str, Spec]) -> str:
    """Return the page. Whatever replies and names hold is text in it: escaped, and no script runs but its own two."""
    vendor, own = Markup(scripts()), Markup(_source("charts.js"))  # noqa: S704  a library's source and our own
    return _TEMPLATES.get_template("report.html").render(
        change=change,
        changes=changes,
        charts=charts,
        counted=counted,
        families=FAMILIES,
        findings=findings,
        columns=COLUMNS,
        drift_rows=drift_rows,
        features=FEATURES,
        lead=_lead(findings),
        outcome=outcome,
        own=own,
        policies=[_policy(vendor), _policy(own)],
        reasons=REASONS,
        sides=sides,
        vendor=vendor,
        drift=Verdict.DRIFT,
    )


def _charts(findings: Findings) -> dict[str, Spec]:
    lines = {f"slopes-{number}": slopes(one) for number, one in enumerate(findings.comparisons, start=1)}
    return {"heat-map": heat_map(findings.summary, findings.groups)} | lines


def _lead(findings: Findings) -> str:
    """Return in words the weightiest drift; without drift, what else is to be told.

    What holds of a whole reply, such as that it is fenced, weighs twice as much as what is counted in it.
    """
    drifts = [(one, each) for each in findings.comparisons for one in each.having(Verdict.DRIFT)]
    if drifts:
        return headline(*max(drifts, key=lambda drift: drift[0].weight * (1 + FEATURES[drift[0].feature].binary)))
    if findings.comparisons:
        few = sum(len(each.having(Verdict.TOO_FEW)) for each in findings.comparisons)
        looked_at = sum(len(each.features) for each in findings.comparisons)
        told = f"; {few} of {looked_at} looks at a feature had too few replies to tell" if few else ""
        return f"No drift in {counted(len(findings.comparisons), 'comparison')}{told}"
    surfaces = findings.surfaces
    replies = counted(surfaces.total, "reply", "replies")
    if not surfaces.open_as_written:
        return f"All surfaces show {replies} alike"
    return (
        f"Surfaces disagree about {surfaces.open_as_written} of {replies} as written, "
        f"about {surfaces.open_canonical or 'none'} in canonical form"
    )


def _drift_table(findings: Findings) -> pd.DataFrame:
    head, *_ = drift_rows([])
    rows = [
        [comparison.baseline, comparison.candidate, *row]
        for comparison in findings.comparisons
        for row in drift_rows(comparison.features)[1:]
    ]
    return pd.DataFrame(rows, columns=["baseline group", "candidate group", *head])


def _source(name: str) -> str:
    return _TEMPLATES.get_template(name).render()


def _policy(script: str) -> str:
    """Return the source expression that lets exactly this inline script run."""
    return f"'sha256-{b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")
