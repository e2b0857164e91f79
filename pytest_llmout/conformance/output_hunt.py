"""Looking for replies that an output type gets wrong."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from pytest_llmout.conformance.finding import Finding
from pytest_llmout.conformance.output_case import OutputCase, Reply
from pytest_llmout.conformance.output_invariants import INVARIANTS, NAMES
from pytest_llmout.conformance.output_invariants.linear import UNITS
from pytest_llmout.conformance.sampling import samples
from pytest_llmout.conformance.schema_faults import schema_faults
from pytest_llmout.conformance.shrink import smallest
from pytest_llmout.conformance.specimens import SPECIMENS
from pytest_llmout.contract import FailureKind
from pytest_llmout.outputs.json_embedded import find_json
from pytest_llmout.strategies import FAULTS, json_replies, markdown_replies

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from hypothesis.strategies import SearchStrategy

    from pytest_llmout.contract import OutputType
    from pytest_llmout.strategies import Fault

HOSTILE = (
    "", " ", "\0", "\ud83d", "\ufeff", "\ufeff{}", "{}", "[]", "null", "true", "17", "-0", "1e999", '"a"',
    '"\\ud83d"', "NaN",
    "{", "[", '{"', '{"a"', '{"a":', '{"a":1', "```json\n{}\n```", "```", "`{}`", "<think>a</think>{}", "a\x1b[31mb",
    "a\nb\u2028c\u0085d\x00e", "\u202eabc", "z" * 2_000, "[" * 100_000, '{"a":' * 100_000, '"' + "a" * 1_000_000,
    "9" * 5_000,
    '{"a": 1, "a": 2}', "重点", "```json\n{\n", "{}\n{}", "[1,]", "{'a': 1}", "// a\n{}", "a" * 600 + "\n",
)  # fmt: skip
"""Texts that have broken parsers."""

_SHRINKING_SECONDS = 3.0
_EACH_FAULT = 5
_REMEMBERED = 3
_BLANKS = "\n" * 2_000_000
_OF_ANY_JSON = tuple(fault for fault in FAULTS if fault.kind is FailureKind.SYNTAX)


def replies_for(
    output_type: OutputType[Any],
    *,
    replies: SearchStrategy[str] | None,
    faults: Sequence[Fault] | None,
    max_examples: int,
    seed: int,
) -> Iterator[Reply]:
    """Yield what an output type is given: hostile texts, replies that are right, bent, or broken.

    Where no replies are given, the schema is read where a model reads it: in the hint for the prompt. Of an output type
    that asks for no JSON, nothing is known but that it must judge every text.
    """
    yield from map(Reply, UNITS)  # before long texts, which would take for ever
    yield from map(Reply, HOSTILE)
    hint = output_type.request_hint
    schema = _schema_in(hint) if isinstance(hint, str) else None
    if replies is None and schema is None:
        yield from map(Reply, SPECIMENS)
        yield from map(Reply, samples(markdown_replies(), max_examples, seed=seed))
        return
    kept = samples(json_replies(schema) if replies is None else replies, max_examples, seed=seed)
    for raw in kept:
        yield Reply(raw, is_valid=True)
        yield from map(Reply, _bent(raw))
    yield from _broken(kept, _applicable(schema) if faults is None else faults)
    if replies is None:
        yield from _padded(kept)


def _broken(kept: Iterable[str], faults: Iterable[Fault]) -> Iterator[Reply]:
    for fault in faults:
        damaged = dict.fromkeys(text for raw in kept if (text := fault.damage(raw)) is not None)
        yield from (Reply(text, fault=fault) for text in islice(damaged, _EACH_FAULT))


def _padded(kept: Iterable[str]) -> Iterator[Reply]:
    """Yield a bare JSON object or array with a lot of blanks at each of its ends: its length says nothing."""
    bare = next((raw for raw in kept if raw.startswith(("{", "["))), None)
    if bare is not None:
        yield from (Reply(raw, is_valid=True) for raw in (bare[0] + _BLANKS + bare[1:], _BLANKS + bare, bare + _BLANKS))


def _schema_in(hint: str) -> dict[str, Any] | None:
    found = (json.loads(found.text) for found in find_json(hint) if found.is_value)
    return next((value for value in found if isinstance(value, dict)), None)


def _applicable(schema: dict[str, Any] | None) -> Iterator[Fault]:
    """Yield what breaks a reply of this schema, bare and within a fence."""
    if schema is None:
        return
    is_object = schema.get("type") == "object" and bool(schema.get("required"))
    for fault in (*FAULTS, *schema_faults(schema)) if is_object else _OF_ANY_JSON:
        yield fault
        yield replace(fault, name=f"{fault.name}, fenced", damage=_fenced(fault.damage))


def _fenced(damage: Callable[[str], str | None]) -> Callable[[str], str | None]:
    def damage_within(reply: str) -> str | None:
        text = damage(reply)
        return None if text is None else f"```json\n{text}\n```"

    return damage_within


def _bent(raw: str) -> Iterator[str]:
    """Yield what models send instead of a JSON object: a key too many or twice, other types for the same values.

    Also what looks alike to a careless cache: other capitals, other blanks.
    """
    try:
        tree = json.loads(raw)
    except ValueError:
        return
    if isinstance(tree, dict):
        yield json.dumps({**tree, "unexpected": 1})
        yield from (f'{{{json.dumps(key)}: "another", {raw.lstrip()[1:]}' for key in list(tree)[:1])
        yield json.dumps({key: str(value) if type(value) is int else value for key, value in tree.items()})
        yield json.dumps({key: float(value) if type(value) is int else value for key, value in tree.items()})
        yield json.dumps({key: value for key, value in tree.items() if value not in ([], {})})
        yield json.dumps({key: _on_text(str.swapcase, value) for key, value in tree.items()})
        yield json.dumps({key: _on_text(lambda text: text.replace(" ", "  "), value) for key, value in tree.items()})


def _on_text(respell: Callable[[str], str], value: object) -> object:
    return respell(value) if isinstance(value, str) else value


def first_finding(output_type: OutputType[Any], replies: Iterable[Reply]) -> Finding | None:
    """Return the most basic finding."""
    found = survey(output_type, replies)
    return next((_smallest(output_type, *found_first) for found_first in found.values()), None)


def all_findings(output_type: OutputType[Any], replies: Iterable[Reply]) -> dict[str, Finding]:
    """Return the smallest finding by invariant, the most basic first."""
    found = survey(output_type, replies)
    return {name: _smallest(output_type, *shortest) for name, shortest in found.items()}


def survey(output_type: OutputType[Any], replies: Iterable[Reply]) -> dict[str, tuple[Reply, Finding]]:
    """Return the shortest reply that breaks each invariant, the most basic first."""
    found: dict[str, tuple[Reply, Finding]] = {}
    earlier: dict[str, str] = {}
    for reply in replies:
        finding = broken(output_type, reply, earlier)
        if finding and (finding.invariant not in found or len(reply.raw) < len(found[finding.invariant][1].text)):
            found[finding.invariant] = (reply, finding)
        if "linear" in found:  # long texts would take for ever
            break
    return {name: found[name] for name in NAMES if name in found}


def broken(output_type: OutputType[Any], reply: Reply, earlier: dict[str, str] | None = None) -> Finding | None:
    """Return the most basic invariant that an outcome breaks; what is accepted joins the last few earlier replies."""
    case = OutputCase(output_type, reply, earlier or {})
    for invariant in INVARIANTS:
        if problem := invariant.check(case):
            return Finding(invariant.name, invariant.rule, reply.raw, problem.got, problem.wanted)
    if earlier is not None and case.ok:
        earlier[reply.raw] = repr(case.outcome)
        if len(earlier) > _REMEMBERED:
            del earlier[next(iter(earlier))]
    return None


def _smallest(output_type: OutputType[Any], reply: Reply, finding: Finding) -> Finding:
    """Shrink a reply of which nothing is known; leaving something out would make a label wrong."""
    if reply.is_valid or reply.fault:
        return finding
    return smallest(finding, lambda raw: broken(output_type, Reply(raw)), seconds=_SHRINKING_SECONDS)
