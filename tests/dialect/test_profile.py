from __future__ import annotations

import csv
import json
import math
from io import StringIO
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest
from reply_corpora import json_reply, reply

from pytest_llmout.dialect.families import FEATURES
from pytest_llmout.dialect.profile import COLUMNS, profile, profiles
from pytest_llmout.dialect.reply import Reply
from pytest_llmout.dialect.summary import summarise
from pytest_llmout.dialect.tables import csv_text, json_lines
from pytest_llmout.dialect.text_table import group_names, markdown_table, plain_table, share_rows
from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Hashable

    from pytest_llmout.corpus.record import ReplyRecord

RECORDS = [
    reply("- **a**", model="one"),
    reply("plain", model="one", sample=1),
    reply("* a", model="two"),
    json_reply('{"a": 1}', model="json"),
    json_reply("{}", model="json", sample=1),
    json_reply("no", model="json", sample=2),
]


def rates(summary: pd.DataFrame, model: str) -> dict[Hashable, dict[Hashable, Any]]:
    return {row["feature"]: row for row in summary[summary["model"] == model].to_dict("records")}


def test_a_row_for_each_reply_and_a_column_for_each_feature() -> None:
    frame = profile(RECORDS)
    assert list(frame.columns) == list(COLUMNS)
    assert list(frame["id"]) == [record.id for record in RECORDS]
    assert frame["reason"].tolist() == ["", "", "", "", "validation", "not_json"]
    assert frame["json_ok"].isna().tolist() == [True, True, True, False, False, False]


@pytest.mark.parametrize("rows", [1, 2, 100])
def test_the_size_of_the_pieces_does_not_show(rows: int) -> None:
    pd.testing.assert_frame_equal(summarise(profiles(RECORDS, rows=rows)), summarise([profile(RECORDS)]))


def test_shares_are_counted_by_group() -> None:
    summary = summarise([profile(RECORDS)])
    assert [rates(summary, "one")["bullet_dash"][name] for name in ("n", "replies", "share")] == [2, 1, 0.5]
    assert rates(summary, "two")["bullet_star"]["share"] == 1
    assert rates(summary, "two")["bullet_dash"]["share"] == 0
    assert [rates(summary, "json")[f"json_{kind}"]["replies"] for kind in ("ok", "syntax", "schema")] == [1, 1, 1]


def test_a_rate_of_nothing_is_null_with_n_0() -> None:
    summary = summarise([profile(RECORDS)])
    row = rates(summary, "one")["json_ok"]
    assert row["n"] == 0
    assert all(math.isnan(row[name]) for name in ("share", "low", "high", "mean"))
    line = next(line for line in json_lines(summary).split("\n") if '"one"' in line and '"json_ok"' in line)
    assert json.loads(line)["share"] is None


@pytest.mark.parametrize(
    "records",
    [
        pytest.param([reply("a", time=f"2026-01-0{day}T00:00:00Z") for day in (1, 2)], id="days"),
        pytest.param([reply("a", configuration=name) for name in ("hot", "cold")], id="configurations"),
    ],
)
def test_days_and_configurations_are_never_pooled(records: list[ReplyRecord]) -> None:
    summary = summarise([profile(records)])
    assert summary["n"].max() == 1
    assert len(summary) == 2 * len(FEATURES)


def test_revisions_of_one_model_are_never_pooled() -> None:
    records = [reply("a", model={"name": "m", "revision": revision}) for revision in ("2026-01", "2026-02")]
    assert set(profile(records)["model"]) == {"m@2026-01", "m@2026-02"}


def test_unknown_keys_are_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match="cannot group by colour: choose from model, configuration, date"):
        summarise([profile(RECORDS)], by=["colour"])


def test_an_empty_corpus_is_refused() -> None:
    with pytest.raises(UsageError, match="the corpus is empty"):
        summarise([])


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])
def test_a_csv_cell_never_starts_a_formula(name: str) -> None:
    text = csv_text(pd.DataFrame({"model": [name], "n": [-1]}))
    assert list(csv.reader(StringIO(text, newline=""))) == [["model", "n"], [f"'{name}", "-1"]]


@pytest.mark.parametrize("name", ["a|b", "a\n|b", "*a*", "a\\|b", "`a|b`", "<b>", "\x1b[31m", "\ud800"])
def test_text_in_a_markdown_table_never_shifts_a_column(name: str) -> None:
    table = markdown_table([["feature", name], [name, "1"]])
    lines = table.split("\n")
    assert len(lines) == 3
    parsed = FEATURES["table_row"].measure(Reply(table)), FEATURES["table"].measure(Reply(table))
    assert parsed == (1, 1)
    assert len(Reply(table).nodes["TableCell"]) == 4


def test_a_plain_table_lines_up_under_wide_characters() -> None:
    lines = plain_table([["feature", "模型"], ["a", "1"]]).split("\n")
    assert lines == ["feature  模型", "a           1"]


def test_features_that_nothing_shows_are_left_out() -> None:
    names = [row[0] for row in share_rows(summarise([profile(RECORDS)]), ("model", "configuration", "date"))]
    assert "bullet_dash" in names
    assert "image" not in names


def test_groups_of_one_label_are_told_apart_by_their_keys() -> None:
    records = [reply("a", family="x"), reply("a", sample=1, configuration="x")]
    common, names = group_names(
        summarise([profile(records)], by=["family", "configuration"]), ["family", "configuration"]
    )
    assert not common
    assert names == ["family=, configuration=x", "family=x, configuration="]
