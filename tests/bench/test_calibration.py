"""How often the verdict `drift` is wrong, and how often it is missed; run with -s to see the numbers.

The table and the curve of the second test are written to `reports/calibration.csv` and `.svg`.
"""

from __future__ import annotations

from pathlib import Path

import altair as alt
import numpy as np
import pandas as pd
import pytest

from pytest_llmout.corpus.store import read_records, shipped_corpus
from pytest_llmout.dialect.charts import svg
from pytest_llmout.dialect.discovery import Limits, discover
from pytest_llmout.dialect.families import FEATURES
from pytest_llmout.dialect.power import rate_power
from pytest_llmout.dialect.profile import profile
from pytest_llmout.dialect.selection import choose
from pytest_llmout.dialect.significance import Units
from pytest_llmout.dialect.tables import csv_text

REPORTS = Path(__file__).parents[2] / "reports"
RUNS = 1_000
LIMITS = Limits(resamples=1_999)
FLAGS = [name for name, feature in FEATURES.items() if feature.binary]
COUNTS = [name for name, feature in FEATURES.items() if not feature.binary]
NAMES = [*FLAGS, *COUNTS][:30]


def simulated(rng: np.random.Generator, pairs: int, *, changed: float | None = None) -> dict[str, Units]:
    """Draw 30 features of independent pairs that nothing tells apart, but for a first flag that may go from 20 %."""
    rates = rng.uniform(0.02, 0.98, len(NAMES))
    units = {}
    for name, rate in zip(NAMES, rates, strict=True):
        if name == NAMES[0] and changed is not None:
            sides = [rng.binomial(1, 0.2, pairs), rng.binomial(1, changed, pairs)]
        elif name in FLAGS:
            sides = list(rng.binomial(1, rate, (2, pairs)))
        else:
            sides = list(np.log1p(rng.negative_binomial(1, 1 - rate / 2, (2, pairs))))
        one, other = (side.astype(np.float64) for side in sides)
        units[name] = Units(one, other, paired=True, binary=name in FLAGS)
    return units


def dealt(rng: np.random.Generator, samples: list[pd.DataFrame]) -> dict[str, Units]:
    """Deal the two samples of each prompt of one configuration to two sides at random."""
    first = rng.integers(0, 2, len(samples[0])).astype(bool)
    units = {}
    for name in FEATURES:
        one, other = (sample[name].to_numpy(np.float64, na_value=np.nan) for sample in samples)
        known = ~(np.isnan(one) | np.isnan(other))
        sides = np.where(first, one, other)[known], np.where(first, other, one)[known]
        if known.any() and (sides[0].any() or sides[1].any()):
            one, other = sides if name in FLAGS else map(np.log1p, sides)
            units[name] = Units(one, other, paired=True, binary=name in FLAGS)
    return units


def drifted(units: dict[str, Units]) -> set[str]:
    return {name for name, found in discover(units, LIMITS).items() if found.drifts}


def test_replies_of_one_configuration_raise_no_alarm() -> None:
    """A/A on the corpus, all features together."""
    rng = np.random.default_rng(1)
    replies = choose(profile(read_records(shipped_corpus())), "configuration=base")
    samples = [rows.sort_values("prompt_id") for _, rows in replies.groupby("sample")]
    alarms = sum(bool(drifted(dealt(rng, samples))) for _ in range(RUNS))
    print(f"\nA/A on the corpus: {alarms} false alarms in {RUNS} runs over {len(samples[0])} prompts, all features")
    assert alarms <= 0.05 * RUNS


@pytest.mark.parametrize("pairs", [30, 250])
def test_simulated_replies_raise_no_alarm(pairs: int) -> None:
    """A/A on 30 features, flags and counts."""
    rng = np.random.default_rng(pairs)
    alarms = sum(bool(drifted(simulated(rng, pairs))) for _ in range(RUNS))
    print(f"\nA/A on {pairs} simulated pairs: {alarms} false alarms in {RUNS} runs, 30 features")
    assert alarms <= 0.05 * RUNS


def test_one_feature_of_thirty_that_doubles_is_found() -> None:
    """A flag goes from 20 % to 40 %, at several sizes; 250 pairs find it in at least 90 % of runs."""
    rng = np.random.default_rng(3)
    rows: list[dict[str, float]] = []
    for pairs in (50, 100, 150, 250):
        found = [NAMES[0] in drifted(simulated(rng, pairs, changed=0.4)) for _ in range(RUNS // 4)]
        computed = rate_power(pairs, 0.2, 0.4, LIMITS.level / len(NAMES))
        rows.append({"pairs": pairs, "found": round(float(np.mean(found)), 3), "computed": round(computed, 3)})
    table = pd.DataFrame(rows)
    print(f"\n20 % to 40 %, one feature of {len(NAMES)}, {RUNS // 4} runs each:\n{table.to_string(index=False)}")
    (REPORTS / "calibration.csv").write_text(csv_text(table), "utf-8", newline="")
    (REPORTS / "calibration.svg").write_text(svg(curve(table)), "utf-8", newline="")
    assert {row["pairs"]: row["found"] for row in rows}[250] >= 0.9


def curve(table: pd.DataFrame) -> dict[str, object]:
    """Draw the share of runs that found the change beside what `llmout power` computes."""
    long = table.melt("pairs", var_name="power", value_name="share of runs")
    chart = (
        alt.Chart(long)
        .mark_line(point=True)
        .encode(
            x=alt.X("pairs:Q", title="pairs"),
            y=alt.Y("share of runs:Q", scale=alt.Scale(domain=[0, 1]), axis=alt.Axis(format="%")),
            color="power:N",
        )
    )
    spec: dict[str, object] = chart.properties(width=360, height=240).to_dict()
    return spec
