"""What holds for every schema and every reply."""

from __future__ import annotations

import json
import math
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

import pytest
from generated_schemas import Json, Schema, anything, schemas_with_replies, spellings
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter

from pytest_llmout import Failure, Ok, json_output
from pytest_llmout.outputs.json_fence import unwrap_fence
from pytest_llmout.outputs.json_pydantic import PydanticJudge

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_llmout.outputs.json_output import Extract

Drawn = tuple[Schema, Json]
few = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
ANYTHING = json_output(Any)
POLICIES = ("none", "fence", "embedded")


def is_same(one: object, other: object) -> bool:
    """Equality under which NaN, which a schema may read from a string, is itself."""
    both_nan = isinstance(one, float) and isinstance(other, float) and math.isnan(one) and math.isnan(other)
    return both_nan or repr(one) == repr(other) or one == other


def parse(schema: Schema, raw: str) -> Ok[Any]:
    outcome = json_output(schema).parse(raw)
    event("fits" if isinstance(outcome, Ok) else "does not fit")
    assume(isinstance(outcome, Ok))
    assert isinstance(outcome, Ok)
    return outcome


@few
@given(st.data(), schemas_with_replies())
def test_fixed_point(data: st.DataObject, drawn: Drawn) -> None:
    schema, tree = drawn
    first = parse(schema, data.draw(spellings(tree)))
    again = json_output(schema).parse(first.canonical)
    assert isinstance(again, Ok)
    assert (again.canonical, again.changed, again.notes) == (first.canonical, False, ())
    assert is_same(again.value, first.value)


@few
@given(st.data(), schemas_with_replies())
def test_spelling_is_no_change(data: st.DataObject, drawn: Drawn) -> None:
    schema, tree = drawn
    one, other = (json_output(schema).parse(data.draw(spellings(tree))) for _ in range(2))
    assert isinstance(one, Ok) == isinstance(other, Ok)
    if isinstance(one, Ok) and isinstance(other, Ok):
        assert one.changed == other.changed
        assert json.loads(one.canonical) == json.loads(other.canonical)
        assert one.canonical == other.canonical or not is_same(one.value, other.value)


@few
@given(st.data(), schemas_with_replies())
def test_changed_says_whether_anything_is_lost(data: st.DataObject, drawn: Drawn) -> None:
    schema, tree = drawn
    raw = data.draw(spellings(tree))
    outcome = parse(schema, raw)
    is_lost = bool(facts(raw) - facts(outcome.canonical))
    if is_exact(schema):
        assert outcome.changed == is_lost
    else:
        assert is_lost or not outcome.changed
        assert outcome.changed or not loose_facts(raw) - loose_facts(outcome.canonical)


@few
@given(st.data(), schemas_with_replies())
def test_a_fence_changes_nothing_but_the_notes(data: st.DataObject, drawn: Drawn) -> None:
    schema, tree = drawn
    raw = data.draw(spellings(tree))
    bare = json_output(schema).parse(raw)
    fenced = json_output(schema).parse(data.draw(fences(raw)))
    match bare, fenced:
        case Ok(), Ok():
            assert (fenced.canonical, fenced.changed, fenced.notes) == (bare.canonical, bare.changed, ("fence",))
        case _:
            assert bare == fenced


@few
@given(st.data(), schemas_with_replies())
def test_the_short_way_ends_where_the_long_one_does(data: st.DataObject, drawn: Drawn) -> None:
    schema, tree = drawn
    raw = data.draw(spellings(tree))
    judge: PydanticJudge[Any] = PydanticJudge(schema, strict=None)
    match judge.judge(raw), judge._judge_exactly(raw, ()):  # noqa: SLF001  the long way is under test, too
        case Ok() as one, Ok() as other:
            assert (one.canonical, one.changed, one.notes) == (other.canonical, other.changed, other.notes)
            assert is_same(one.value, other.value)
        case one, other:
            assert one == other


@few
@given(st.text(st.sampled_from('`~ab {}"\r\n\t \ud800\0'), max_size=12), st.sampled_from(["", "json", " x y"]))
def test_a_plain_fence_is_what_the_parser_takes_it_for(inside: str, info: str) -> None:
    fenced = f"```{info}\n{inside}\n```"
    # A line break after the fence leaves it the same, and leaves the decision to the parser.
    assert ANYTHING.parse(fenced) == ANYTHING.parse(f"{fenced}\n")
    assert unwrap_fence(fenced) in {unwrap_fence(f"{fenced}\n"), inside.rstrip()}


@few
@given(st.text() | anything.map(json.dumps), st.sampled_from(POLICIES), schemas_with_replies())
def test_total_and_pure(raw: str, policy: Extract, drawn: Drawn) -> None:
    output = json_output(drawn[0], extract=policy)
    one, other = output.parse(raw), output.parse(raw)
    match one, other:
        case Ok(), Ok():
            assert (one.canonical, one.changed, one.notes) == (other.canonical, other.changed, other.notes)
        case Failure(_, observed), _:
            assert one == other
            assert observed.isprintable()
            assert len(observed) <= 500


tokens = st.sampled_from(
    [*'{}[]"\\:,1-e`aé \n\r\0\ud800\ufeff', "null", "NaN", "```", "~~~", "<think>", "</think>", '"k":']
)


@few
@given(st.lists(tokens, max_size=30).map("".join), st.sampled_from(POLICIES))
def test_total_on_debris(raw: str, policy: Extract) -> None:
    match json_output(Any, extract=policy).parse(raw):
        case Ok(value, canonical):
            assert is_same(json.loads(canonical), value)
        case Failure(_, observed):
            assert observed.isprintable()


@few
@given(anything, anything, st.sampled_from(["", "Here:\n", "<think>\nhm\n</think>\n"]))
def test_of_several_values_the_last_is_taken(first: Json, last: Json, lead_in: str) -> None:
    raw = f"{lead_in}{json.dumps([first])} or {json.dumps([last])}"
    outcome = json_output(Any, extract="embedded").parse(raw)
    assert isinstance(outcome, Ok)
    assert is_same(outcome.value, [last])
    assert "several_values" in outcome.notes


@st.composite
def fences(draw: Callable[..., Any], text: str) -> str:
    mark = draw(st.sampled_from(["```", "~~~", "````"]))
    info = draw(st.sampled_from(["", "json", " JSON5 x=1"]))
    end = draw(st.sampled_from(["\n" + mark, "\n" + mark + "\n\n", mark, "\n", ""]))
    line_end = draw(st.sampled_from(["\n", "\r\n"]))
    return str(f"{mark}{info}\n{text}{end}".replace("\n", line_end))


def facts(text: str) -> set[tuple[Any, ...]]:
    """Take a JSON text apart: each scalar, each empty container and the length of each list, by path."""
    return set(_facts(json.loads(text, parse_float=Decimal, parse_int=Decimal, parse_constant=str), ()))


def _facts(tree: Json, path: tuple[Any, ...]) -> list[tuple[Any, ...]]:
    match tree:
        case dict():
            inner = [fact for key, value in tree.items() for fact in _facts(value, (*path, key))]
            return [(path, "object"), *inner]
        case list():
            inner = [fact for index, item in enumerate(tree) for fact in _facts(item, (*path, index))]
            return [(path, "array", len(tree)), *inner]
        case _:
            return [(path, type(tree).__name__, tree)]


def loose_facts(text: str) -> set[tuple[Any, ...]]:
    """Return the facts without the order of arrays, and numbers in strings as numbers."""
    return {
        (tuple("*" if isinstance(step, int) else step for step in path), *map(_loose, fact))
        for path, _, *fact in facts(text)
    }


def _loose(fact: object) -> object:
    try:
        return Decimal(str(fact))
    except InvalidOperation:
        return fact


def is_exact(schema: Schema) -> bool:
    """Say whether all that a schema takes is written in one order and as the type it was."""
    core_schema = str(TypeAdapter(schema).core_schema)
    return not any(f"'type': '{kind}'" in core_schema for kind in ("set", "frozenset", "decimal"))


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(
    "piece",
    ["[", '{"a":', '{"a":[', '"', "```\n", "`", "{ ", "[1] ", '{"', "\\", "<think>", "</think>", "\ud800", "\0", "} "],
)
def test_total_on_repetition(piece: str, policy: Extract) -> None:
    outcome = json_output(dict[str, int], extract=policy).parse(piece * 20_000)
    assert isinstance(outcome, Failure)


def test_sets_have_no_order_of_their_own() -> None:
    outcome = json_output(set[str]).parse('["b", "a", "c"]')
    assert outcome == Ok({"a", "b", "c"}, '["a","b","c"]', changed=False)
