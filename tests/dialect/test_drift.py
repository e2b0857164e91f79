from __future__ import annotations

import json
import random
from dataclasses import replace
from math import comb
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from reply_corpora import json_reply, reply

from pytest_llmout.dialect.discovery import Limits
from pytest_llmout.dialect.drift import Comparison, FeatureDrift, Verdict, compare
from pytest_llmout.dialect.drift_formats import FORMATS, change, drift_json, drift_junit, expectation, headline
from pytest_llmout.dialect.intervals import difference
from pytest_llmout.dialect.power import Demand, mean_pairs, rate_detectable, rate_pairs, rate_power
from pytest_llmout.dialect.profile import profile
from pytest_llmout.dialect.reply import Reply
from pytest_llmout.dialect.sequence import change_began, level_at
from pytest_llmout.dialect.significance import Units, p_value

if TYPE_CHECKING:
    from pytest_llmout.corpus.record import ReplyRecord

BARE, FENCED = '{"a": 1}', '```json\n{"a": 1}\n```'


def series(fenced: int, n: int, *, one_prompt: bool = False) -> list[ReplyRecord]:
    """Return n JSON replies, the first of them fenced: to n prompts, or to one."""
    return [
        json_reply(
            FENCED if number < fenced else BARE,
            prompt="p" if one_prompt else f"p{number:03}",
            sample=number if one_prompt else 0,
        )
        for number in range(n)
    ]


def drift(one: list[ReplyRecord], other: list[ReplyRecord], limits: Limits | None = None) -> Comparison:
    return compare(profile(one), profile(other), names=("one", "other"), limits=limits)


def of(comparison: Comparison, feature: str) -> FeatureDrift:
    return next(one for one in comparison.features if one.feature == feature)


@pytest.mark.parametrize(
    ("n", "fenced", "p"), [(3, 2, 1.0), (10, 8, 0.474), (6, 4, 0.455)], ids=["3-of-3", "10-of-10", "6-of-6"]
)
@pytest.mark.parametrize("one_prompt", [True, False], ids=["one-prompt", "other-prompts"])
def test_few_replies_are_no_evidence(n: int, fenced: int, p: float, *, one_prompt: bool) -> None:
    candidate = series(fenced, n, one_prompt=one_prompt)
    if not one_prompt:
        candidate = [record.model_copy(update={"prompt_id": f"q{record.prompt_id}"}) for record in candidate]
    comparison = drift(series(n, n, one_prompt=one_prompt), candidate)
    seen = of(comparison, "json_fenced")
    assert seen.test == "Fisher"
    assert round(seen.p, 3) == p
    assert seen.needed is not None
    assert seen.needed > n
    assert {one.verdict for one in comparison.features} == {Verdict.TOO_FEW}


def test_thirty_unfenced_against_thirty_fenced_drift_with_equal_payloads() -> None:
    comparison = drift(series(0, 30), series(30, 30))
    seen = of(comparison, "json_fenced")
    assert (seen.verdict, seen.test, seen.effect) == (Verdict.DRIFT, "McNemar", 1.0)
    assert comparison.payloads == (30, 30)
    assert of(comparison, "json_ok").effect == 0


@pytest.mark.parametrize(("level", "verdict"), [(0.05, Verdict.TOO_FEW), (0.10, Verdict.DRIFT)], ids=str)
def test_the_verdict_follows_the_level(level: float, verdict: Verdict) -> None:
    one, other = [[reply(raw, prompt=f"p{number}") for number in range(5)] for raw in ("", "x")]
    comparison = drift(one, other, Limits(level=level))
    assert {(one.p, one.q, one.verdict) for one in comparison.features} == {(0.0625, 0.0625, verdict)}


def test_the_same_replies_twice_are_the_same() -> None:
    comparison = drift(series(60, 200), series(60, 200))
    assert {one.verdict for one in comparison.features} == {Verdict.SAME}
    assert all(one.p == 1 and one.effect == 0 for one in comparison.features)


def test_no_replies_in_common_are_compared_unpaired() -> None:
    other = [record.model_copy(update={"prompt_id": f"q{record.prompt_id}"}) for record in series(40, 40)]
    comparison = drift(series(0, 40), other)
    assert not comparison.paired
    assert of(comparison, "json_fenced").test == "Fisher"
    assert of(comparison, "characters").test == "Mann-Whitney"
    assert of(comparison, "json_fenced").verdict is Verdict.DRIFT


def test_samples_of_one_prompt_are_one_unit() -> None:
    one = [json_reply(BARE, prompt=f"p{number}", sample=sample) for number in range(4) for sample in range(25)]
    other = [record.model_copy(update={"raw": FENCED, "sha256": ""}) for record in one]
    seen = of(drift(one, other), "json_fenced")
    assert seen.n == 4
    assert seen.verdict is Verdict.TOO_FEW


def test_prompts_of_one_side_are_left_out_and_counted() -> None:
    comparison = drift(series(0, 40), series(0, 43))
    assert (comparison.prompts, comparison.left_out) == (40, 3)


def test_counts_are_compared_by_sign_flips() -> None:
    rng = random.Random(1)  # noqa: S311  a draw that can be repeated
    lengths = [rng.randrange(20, 60) for _ in range(60)]
    one = [reply("word " * n, prompt=f"p{i:02}") for i, n in enumerate(lengths)]
    other = [reply("word " * (n + rng.randrange(5, 30)), prompt=f"p{i:02}") for i, n in enumerate(lengths)]
    seen = of(drift(one, other), "characters")
    assert seen.test == "sign flips"
    assert seen.verdict is Verdict.DRIFT
    low, high = seen.interval
    assert 0 < low < seen.effect < high


def test_what_is_held_at_once_changes_neither_p_nor_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    one, other = (rng.integers(0, 9, 50).astype(float) for _ in range(2))
    units = Units(one, other, paired=True, binary=False)
    whole = p_value(units), difference(units, confidence=0.95)
    for module in ("significance", "intervals"):
        monkeypatch.setattr(f"pytest_llmout.dialect.{module}.HELD", 1_000)
    assert (p_value(units), difference(units, confidence=0.95)) == whole


def few_lists(*, shift: int, prompt: str) -> list[ReplyRecord]:
    """Return replies few of which hold a list: resampled, their counts tie more often than not."""
    return [
        reply("- a\n" * (number % 3 + shift) if number % 9 == 0 else "a", prompt=prompt.format(number), sample=number)
        for number in range(45)
    ]


@pytest.mark.parametrize("prompts", [("{}", "{}"), ("{}", "q{}"), ("p", "p")], ids=["paired", "unpaired", "one-prompt"])
def test_neither_the_order_of_replies_nor_the_last_bit_of_a_logarithm_matters(
    prompts: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = few_lists(shift=0, prompt=prompts[0]), few_lists(shift=2, prompt=prompts[1])
    before = drift(one, other)
    rng = np.random.default_rng(1)
    log1p = np.log1p
    monkeypatch.setattr("numpy.log1p", lambda x: (y := log1p(x)) * (1 + rng.choice([-1, 0, 1], len(y)) * 2.0**-52))
    for side in (one, other):
        random.Random(2).shuffle(side)  # noqa: S311  likewise
    after = drift(one, other)
    assert [replace(one, began=None) for one in after.features] == [replace(one, began=None) for one in before.features]


def test_failures_are_counted() -> None:
    one = series(0, 40)
    other = [json_reply("no", prompt=record.prompt_id) for record in one]
    comparison = drift(one, other)
    assert of(comparison, "json_ok").candidate == 0
    assert of(comparison, "json_syntax").candidate == 1
    assert comparison.payloads == (0, 0)


def test_exact_p_of_unpaired_and_paired_flags() -> None:
    ones, zeros = np.ones(6), np.zeros(6)
    assert p_value(Units(zeros, ones, paired=True, binary=True))[1] == pytest.approx(2 / 64)
    assert p_value(Units(zeros, ones, paired=False, binary=True))[1] == pytest.approx(2 / 924)
    assert p_value(Units(zeros, zeros, paired=False, binary=False))[1] == 1


@pytest.mark.parametrize(("few", "many"), [(1, 40), (2, 30), (3, 12)])
def test_p_of_few_unpaired_counts_is_no_smaller_than_their_arrangements_allow(few: int, many: int) -> None:
    units = Units(np.zeros(many), np.full(few, 2.0), paired=False, binary=False)
    assert p_value(units)[1] >= 1 / comb(few + many, few)
    assert p_value(units)[1] == pytest.approx(2 / comb(few + many, few), rel=0.01)


def test_power_agrees_with_the_published_bar() -> None:
    demand = Demand(level=0.05 / 30, power=0.9)
    assert rate_power(250, 0.2, 0.4, demand.level) > 0.9
    needed = rate_pairs(0.2, 0.4, demand)
    assert needed is not None
    assert rate_power(needed, 0.2, 0.4, demand.level) >= 0.9
    assert rate_detectable(needed, 0.2, demand) == pytest.approx(0.2, abs=0.002)


@pytest.mark.parametrize("rate", [0.0, 0.5, 1.0])
def test_five_pairs_find_nothing(rate: float) -> None:
    assert rate_detectable(5, rate, Demand()) is None


def test_power_is_the_probability_that_the_test_rejects() -> None:
    rng = np.random.default_rng(7)
    draws = [
        p_value(
            Units(
                rng.binomial(1, 0.2, 60).astype(float), rng.binomial(1, 0.5, 60).astype(float), paired=True, binary=True
            )
        )[1]
        for _ in range(400)
    ]
    assert np.mean(np.array(draws) <= 0.05) == pytest.approx(rate_power(60, 0.2, 0.5, 0.05), abs=0.07)


def test_pairs_for_a_mean_follow_the_normal_formula() -> None:
    assert mean_pairs(0.5, 1.0, Demand(0.05, 0.8)) == 32  # ((1.96 + 0.84) / 0.5) ** 2


def test_levels_of_all_looks_sum_to_the_level() -> None:
    assert level_at(None, 0.05) == 0.05
    assert sum(level_at(look, 0.05) for look in range(1, 10_000)) == pytest.approx(0.05, rel=1e-3)


def test_the_reply_at_which_a_change_began() -> None:
    baseline = profile(series(0, 60))
    candidate = profile([*series(0, 60)[:40], *series(60, 60)[40:]])
    assert change_began(baseline, candidate, "json_fenced") == candidate["id"].iloc[40]


@pytest.mark.parametrize("form", FORMATS)
def test_every_format_names_both_sides_and_the_drift(form: str) -> None:
    text = FORMATS[form]([drift(series(0, 30), series(30, 30))]).replace("\\", "")
    assert all(word in text for word in ("one", "other", "json_fenced"))


def test_json_is_strict_where_a_number_is_not_finite() -> None:
    text = drift_json([drift(series(0, 1), series(1, 1))])
    assert json.loads(text, parse_constant=pytest.fail)


def test_junit_fails_on_drift_and_says_what_was_expected() -> None:
    suite = ET.fromstring(drift_junit([drift(series(0, 30), series(30, 30))]))[0]  # noqa: S314  our own output
    case = next(case for case in suite if case.get("name") == "json_fenced")
    assert "expected no change of json_fenced of +10.0 pp or more" in case[0].attrib["message"]
    assert int(suite.attrib["failures"]) == len(suite.findall("testcase/failure")) > 0


def test_markdown_shows_hostile_names_as_text() -> None:
    records = profile(series(0, 3))
    text = FORMATS["markdown"]([compare(records, records, names=("a|b\n# c", "<img src=x>"))])
    nodes = Reply(text).nodes
    assert len(nodes["Heading"]) == 1
    assert not nodes["HtmlBlock"]
    assert not nodes["InlineHtml"]


def test_a_headline_is_in_words() -> None:
    comparison = drift(series(1, 30), series(29, 30))
    seen = of(comparison, "json_fenced")
    assert headline(seen, comparison) == "other fences JSON in 96.7% of replies, one in 3.3%"
    assert change(seen) == "fences JSON in 96.7% of replies, was 3.3%"
    info, length = (of(comparison, name) for name in ("fence_info", "characters"))
    assert headline(length, comparison) == "other writes at another length: 19.60 characters a reply, one 8.40"
    assert change(length) == "writes at another length: 19.60 characters a reply, was 8.40"
    assert change(info) == ("names the language of code in 96.7% of replies, was 3.3% (0.97 blocks a reply, was 0.03)")
    assert expectation(seen, 0.05).startswith("expected no change of json_fenced of +10.0 pp or more")
