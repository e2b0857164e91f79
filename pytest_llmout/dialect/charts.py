"""The charts of the report, as Vega-Lite."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import altair as alt
import pandas as pd
import vl_convert

from pytest_llmout.dialect.drift import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pytest_llmout.dialect.drift import Comparison, FeatureDrift

_APART = 0.05
"""The distance of two labels on the axis of shares: their height."""

_NAMED = 3

Spec = dict[str, Any]

_COLOURS = {"drift": "#d55e00", "same": "#0072b2", "too few": "#999999"}
"""Apart from each other in every common colour blindness (Okabe and Ito)."""


def heat_map(summary: pd.DataFrame, names: Sequence[str]) -> Spec:
    """Draw the share of replies that show each feature, group by group; intervals on hover.

    Features that every reply shows, such as having words, and features that none shows are left out.

    Args:
        summary: What `summarise` returned.
        names: What to call the groups, in their order.
    """
    telling = summary.groupby("feature")["share"].agg(lambda share: share.max() > 0 and share.min() < 1)
    seen = summary[summary["feature"].map(telling)]
    order = seen.groupby("feature", sort=False).cumcount()
    rows = seen.assign(group=[names[index] for index in order])
    base = alt.Chart(rows[["group", "feature", "share", "low", "high", "n", "mean"]]).encode(
        x=alt.X("group:N", sort=None, title=None, axis=alt.Axis(orient="top", labelAngle=-30, labelLimit=220)),
        y=alt.Y("feature:N", sort=None, title=None, axis=alt.Axis(labelLimit=180)),
        tooltip=[
            alt.Tooltip("group:N", title="replies of"),
            alt.Tooltip("feature:N"),
            alt.Tooltip("share:Q", format=".1%"),
            alt.Tooltip("low:Q", format=".1%", title="95% from"),
            alt.Tooltip("high:Q", format=".1%", title="to"),
            alt.Tooltip("n:Q", title="replies"),
            alt.Tooltip("mean:Q", format=".2f", title="mean count"),
        ],
    )
    # Opacity rather than lightness, so that the cells fit a light page and a dark one.
    shade = alt.Opacity("share:Q", scale=alt.Scale(domain=[0, 1], range=[0, 0.75], type="sqrt"), legend=None)
    cells = base.mark_rect(color="#0072b2").encode(opacity=shade)
    chart = (cells + base.mark_text(fontSize=10).encode(text=alt.Text("share:Q", format=".0%"))).properties(
        width=alt.Step(58), height=alt.Step(20)
    )
    return _spec(chart, "Heat map: the share of replies that show each feature, by group.")


def slopes(comparison: Comparison) -> Spec:
    """Draw each feature of a comparison as a line from its share of the baseline's replies to the candidate's."""
    columns = ["feature", "verdict", "side", "share", "n", "label"]
    labels = _labels(comparison.having(Verdict.DRIFT))
    rows = [
        [one.feature, str(one.verdict), side, round(share, 4), one.n, label]
        for one in comparison.features
        for side, share, label in zip(
            (comparison.baseline, comparison.candidate), one.shares, ("", labels.get(one.feature, "")), strict=True
        )
    ]
    base = alt.Chart(pd.DataFrame(rows, columns=columns)).encode(
        x=alt.X("side:N", sort=None, title=None, axis=alt.Axis(labelAngle=0, labelLimit=180)),
        y=alt.Y("share:Q", title="share of replies", axis=alt.Axis(format="%"), scale=alt.Scale(domain=[0, 1])),
        detail="feature:N",
        color=alt.Color(
            "verdict:N",
            scale=alt.Scale(domain=list(_COLOURS), range=list(_COLOURS.values())),
            legend=alt.Legend(orient="top"),
        ),
        tooltip=["feature:N", "side:N", alt.Tooltip("share:Q", format=".1%"), "verdict:N", "n:Q"],
    )
    names = base.mark_text(align="left", dx=8, dy=-7).encode(text="label:N")
    chart = base.mark_line() + base.mark_point(filled=True, size=60, opacity=1) + names
    title = f"Slopes: shares of replies, {comparison.candidate} against {comparison.baseline}."
    return _spec(chart.properties(width=280, height=300), title)


def _labels(features: Iterable[FeatureDrift]) -> dict[str, str]:
    """Return what to write beside some of the features: lines that end together share a label, so that none overlap."""
    together: list[list[FeatureDrift]] = []
    for one in sorted(features, key=lambda one: one.shares[1]):
        if together and one.shares[1] - together[-1][0].shares[1] < _APART:
            together[-1].append(one)
        else:
            together.append([one])
    return {several[0].feature: _names([one.feature for one in several]) for several in together}


def _names(features: list[str]) -> str:
    named = ", ".join(features[:_NAMED])
    return named if len(features) <= _NAMED else f"{named} and {len(features) - _NAMED} more"


def _spec(chart: alt.LayerChart, description: str) -> Spec:
    """Return a chart that carries its data and says nothing of the version that drew it."""
    with alt.data_transformers.enable("default", consolidate_datasets=False):
        spec: Spec = chart.properties(description=description).to_dict()
    del spec["$schema"], spec["config"]
    return spec | {"background": "transparent"}


def svg(spec: Spec) -> str:
    """Render a chart as SVG."""
    return str(vl_convert.vegalite_to_svg(spec | {"background": "white"}))


def png(spec: Spec) -> bytes:
    """Render a chart as PNG, at twice the size of a screen pixel."""
    return bytes(vl_convert.vegalite_to_png(spec | {"background": "white"}, scale=2))


def scripts() -> str:
    """Return Vega, Vega-Lite and Vega-Embed as one script that needs no network."""
    return str(vl_convert.javascript_bundle())  # type: ignore[call-arg]  # the stub has no default
