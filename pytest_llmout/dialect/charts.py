"""The charts of the report, as Vega-Lite."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import altair as alt
import pandas as pd
import vl_convert

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_llmout.dialect.drift import Comparison

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
            alt.Tooltip("low:Q", format=".1%", title="95 % from"),
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
    """Draw each feature of a comparison as a line from the share of replies before to the share after."""
    rows = [
        {"feature": one.feature, "verdict": str(one.verdict), "side": side, "share": round(share, 4), "n": one.n}
        for one in comparison.features
        for side, share in zip(("before", "after"), one.shares, strict=True)
    ]
    base = alt.Chart(pd.DataFrame(rows, columns=["feature", "verdict", "side", "share", "n"])).encode(
        x=alt.X("side:N", sort=None, title=None, axis=alt.Axis(labelAngle=0)),
        y=alt.Y("share:Q", title="share of replies", axis=alt.Axis(format="%"), scale=alt.Scale(domain=[0, 1])),
        detail="feature:N",
        color=alt.Color("verdict:N", scale=alt.Scale(domain=list(_COLOURS), range=list(_COLOURS.values()))),
        tooltip=["feature:N", "side:N", alt.Tooltip("share:Q", format=".1%"), "verdict:N", "n:Q"],
    )
    names = base.transform_filter("datum.side == 'after' && datum.verdict == 'drift'").mark_text(align="left", dx=8)
    chart = base.mark_line() + base.mark_point(filled=True, size=60) + names.encode(text="feature:N")
    title = f"Slopes: shares before and after, {comparison.candidate} against {comparison.baseline}."
    return _spec(chart.properties(width=380, height=300), title)


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
