"""Drift for readers: text for a terminal, Markdown for a pull request, JSON and JUnit XML for machines."""

from __future__ import annotations

import json
from dataclasses import asdict
from math import isfinite
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from pytest_llmout.counted import counted
from pytest_llmout.dialect.drift import Comparison, FeatureDrift, Verdict
from pytest_llmout.dialect.families import FEATURES
from pytest_llmout.dialect.power import LARGEST
from pytest_llmout.dialect.text_table import Rows, escaped, markdown_table, one_line, plain_table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

HEAD = ["verdict", "feature", "baseline", "candidate", "effect", "interval", "p", "q", "n", "takes", "finds"]
COLUMNS = (
    "Columns: effect, in percentage points (pp) of a rate or standard deviations (SD) of the logarithm of a count; "
    "interval, of the effect; q, p adjusted for the number of features; n, independent units; "
    "takes, the units that such an effect would take; finds, the smallest effect that n units find."
)
"""What the columns of `HEAD` are."""


def headline(one: FeatureDrift, comparison: Comparison) -> str:
    """Say in words how a feature differs between two sides."""
    feature = FEATURES[one.feature]
    before, after = _shares(one)
    says = f"{comparison.candidate} {feature.says}"
    if before == after:
        return f"{says}: {one.candidate:.2f} {feature.unit} a reply, {comparison.baseline} {one.baseline:.2f}"
    return f"{says} in {after} of replies, {comparison.baseline} in {before}"


def change(one: FeatureDrift) -> str:
    """Say in words from where to where a feature went; the two sides go without saying."""
    feature = FEATURES[one.feature]
    before, after = _shares(one)
    means = f"{one.candidate:.2f} {feature.unit} a reply, was {one.baseline:.2f}"
    if before == after:
        return f"{feature.says}: {means}"
    text = f"{feature.says} in {after} of replies, was {before}"
    return text if feature.binary else f"{text} ({means})"


def _shares(one: FeatureDrift) -> tuple[str, str]:
    before, after = one.shares
    return f"{before:.1%}", f"{after:.1%}"


def drift_text(comparisons: Sequence[Comparison]) -> str:
    """Return all comparisons as text for a terminal."""
    return "\n\n".join(_section(comparison, plain_table, one_line, one_line) for comparison in comparisons) + "\n"


def drift_markdown(comparisons: Sequence[Comparison]) -> str:
    """Return all comparisons as Markdown for a pull request."""
    return (
        "\n\n".join(_section(comparison, markdown_table, _markdown_heading, escaped) for comparison in comparisons)
        + "\n"
    )


def _markdown_heading(text: str) -> str:
    return f"### {escaped(text)}"


def drift_json(comparisons: Sequence[Comparison]) -> str:
    """Return all comparisons as strict JSON; what is not finite is null."""
    return json.dumps([_finite(asdict(comparison)) for comparison in comparisons], indent=1, allow_nan=False) + "\n"


def drift_junit(comparisons: Sequence[Comparison]) -> str:
    """Return all comparisons as JUnit XML: drift fails, too few is skipped; each says what was expected."""
    suites = ET.Element("testsuites", name="llmout drift")
    for comparison in comparisons:
        suite = ET.SubElement(suites, "testsuite", name=one_line(title(comparison)))
        suite.attrib |= {
            "tests": str(len(comparison.features)),
            "failures": str(len(comparison.having(Verdict.DRIFT))),
            "skipped": str(len(comparison.having(Verdict.TOO_FEW))),
        }
        for one in comparison.features:
            case = ET.SubElement(suite, "testcase", classname=one_line(comparison.candidate), name=one.feature)
            tag = {Verdict.DRIFT: "failure", Verdict.TOO_FEW: "skipped"}.get(one.verdict)
            if tag:
                ET.SubElement(case, tag, message=expectation(one, comparison.level))
    ET.indent(suites)
    return ET.tostring(suites, encoding="unicode", xml_declaration=True) + "\n"


FORMATS: dict[str, Callable[[Sequence[Comparison]], str]] = {
    "text": drift_text,
    "markdown": drift_markdown,
    "json": drift_json,
    "junit": drift_junit,
}
"""Every output of `llmout drift`, by its name."""


def title(comparison: Comparison) -> str:
    """Name the two sides."""
    return f"{comparison.candidate} against {comparison.baseline}"


def expectation(one: FeatureDrift, level: float) -> str:
    """Say which expectation was evaluated, and what was seen."""
    return (
        f"expected no change of {one.feature} of {_effect(one, one.minimum)} or more at a false discovery rate of "
        f"{level:.3g}; saw {_value(one, one.baseline)} before and {_value(one, one.candidate)} after "
        f"(effect {_effect(one, one.effect)}, {one.test} p = {one.p:.3g}, q = {one.q:.3g}, n = {one.n})"
    )


def drift_rows(features: Sequence[FeatureDrift]) -> Rows:
    """Return the table of some features, its head first."""
    return [HEAD, *(_row(one) for one in features)]


def _row(one: FeatureDrift) -> list[str]:
    low, high = (_effect(one, bound) for bound in one.interval)
    takes = "" if one.verdict is not Verdict.TOO_FEW else f"> {LARGEST}" if one.needed is None else str(one.needed)
    values = (_value(one, value) for value in (one.baseline, one.candidate))
    effect = _effect(one, one.effect)
    return [
        one.verdict,
        one.feature,
        *values,
        effect,
        f"{low} to {high}",
        f"{one.p:.3g}",
        f"{one.q:.3g}",
        str(one.n),
        takes,
        "" if one.detectable is None else _effect(one, one.detectable).removeprefix("+"),
    ]


def _section(
    comparison: Comparison, table: Callable[[Rows], str], heading: Callable[[str], str], inert: Callable[[str], str]
) -> str:
    shown = [*comparison.having(Verdict.DRIFT), *comparison.having(Verdict.TOO_FEW)]
    parts = [heading(title(comparison)), sides(comparison)]
    parts += ["\n".join(f"- {inert(line)}" for line in changes(comparison))]
    parts += [table(drift_rows(shown)), COLUMNS] if shown else []
    parts += [outcome(comparison)]
    return "\n\n".join(filter(None, parts))


def changes(comparison: Comparison) -> list[str]:
    """Say in words what drifted, and from which reply on."""
    return [f"{change(one)}, most clearly from reply {one.began} on" for one in comparison.having(Verdict.DRIFT)]


def sides(comparison: Comparison) -> str:
    """Say how the two sides were brought together."""
    equal, readable = comparison.payloads
    parts = [f"{counted(comparison.prompts, 'prompt')} in common, {'paired' if comparison.paired else 'not paired'}"]
    parts += [f"{counted(comparison.left_out, 'prompt')} of one side left out"] if comparison.left_out else []
    parts += [f"JSON payloads equal for {equal} of {counted(readable, 'prompt')}"] if readable else []
    parts += [f"look {comparison.look}, level {comparison.level:.3g}"] if comparison.look else []
    return "; ".join(parts) + "."


def outcome(comparison: Comparison) -> str:
    """Say how many features got each verdict."""
    counts = ", ".join(f"{len(comparison.having(verdict))} {verdict}" for verdict in Verdict)
    return f"Of {counted(len(comparison.features), 'feature')}: {counts} to tell."


def _value(one: FeatureDrift, value: float) -> str:
    return f"{value:.1%}" if FEATURES[one.feature].binary else f"{value:.2f}"


def _effect(one: FeatureDrift, value: float) -> str:
    return f"{value * 100:+.1f} pp" if FEATURES[one.feature].binary else f"{value:+.2f} SD"


def _finite(value: object) -> object:
    match value:
        case dict():
            return {key: _finite(item) for key, item in value.items()}
        case list() | tuple():
            return [_finite(item) for item in value]
        case float():
            return value if isfinite(value) else None
        case _:
            return value
