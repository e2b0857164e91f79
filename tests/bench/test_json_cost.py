"""What `parse` costs beside a bare `TypeAdapter.validate_json` of the same reply."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from pydantic import BaseModel, TypeAdapter
from time_ratios import time_ratio

from pytest_llmout import Ok, json_output

if TYPE_CHECKING:
    from pytest_llmout.outputs.json_output import Extract

BARS = (2.5, 4.0)
OVER_THE_BARS = {
    "summary": (3.0, 4.0),
    "strings": (4.0, 5.5),
    "paragraphs": (7.5, 9.0),
    "backwards": (6.6, 7.0),
    "mappings": (5.0, 5.5),
    "mappings backwards": (10.0, 10.5),
}
"""Kinds of reply that do not reach the bars, with what they are held to instead.

Measured, bare and fenced: a summary 2.7 and 3.5, a list of short strings 3.6 and 4.9, of paragraphs 6.6 and 7.4 to 8.3,
keys in another order than the schema's 6.1 and 6.3, mappings 4.2 and 4.4 with their keys in order and 8.5 without.
A string is read many bytes at a time but written and compared one by one (writing paragraphs alone takes 1.3 times
their reading), another order can only be compared as a tree, and keys are put in order by writing and reading again.
"""


class Item(BaseModel):
    name: str
    quantity: int
    price: float
    tags: list[str] = []


class Order(BaseModel):
    id: str
    items: list[Item]
    note: str | None = None


class Finding(BaseModel):
    path: str
    line: int
    severity: str
    message: str
    fixed: bool


class Weighed(BaseModel):
    name: str
    weights: dict[str, float]


class Summary(BaseModel):
    title: str
    points: list[str]
    score: int
    done: bool


ITEMS = [{"name": f"item number {n}", "quantity": n, "price": n + 0.5, "tags": ["red", "hot"]} for n in range(30)]
FINDINGS = [
    {
        "path": f"src/module_{n}.py",
        "line": 10 * n,
        "severity": "minor",
        "message": "The name says too little.",
        "fixed": n > 2,
    }
    for n in range(6)
]
REPLIES: dict[str, tuple[Any, Any]] = {
    "order": (Order, {"id": "A-1", "items": ITEMS, "note": "Leave it at the door."}),
    "defaults": (Order, {"id": "A-1", "items": [{**item, "tags": ["red"]} for item in ITEMS]}),
    "findings": (list[Finding], FINDINGS),
    "summary": (
        Summary,
        {"title": "The change", "points": ["It says little about much."] * 20, "score": 3, "done": True},
    ),
}
REPLIES["strings"] = (list[str], ["It says little about much."] * 20)
REPLIES["paragraphs"] = (list[str], ["It says little about much. " * 12] * 20)
REPLIES["backwards"] = (Order, {"note": None, "items": [dict(reversed(item.items())) for item in ITEMS], "id": "A-1"})
WEIGHED = [{"name": f"item number {n}", "weights": {"blue": 0.5, "green": n + 0.5, "red": 1.5}} for n in range(20)]
REPLIES["mappings"] = (list[Weighed], WEIGHED)
BACKWARDS = [{"name": f"item number {n}", "weights": {"red": 1.5, "green": n + 0.5, "blue": 0.5}} for n in range(20)]
REPLIES["mappings backwards"] = (list[Weighed], BACKWARDS)
SPELLINGS: dict[str, dict[str, Any]] = {"indented": {"indent": 2}, "one-line": {}}


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("name", REPLIES)
def test_parse_costs_little_more_than_validation(name: str, spelling: str) -> None:
    schema, tree = REPLIES[name]
    raw = json.dumps(tree, **SPELLINGS[spelling])
    fenced = f"```json\n{raw}\n```"
    output, adapter = json_output(schema), TypeAdapter(schema)
    assert isinstance(output.parse(raw), Ok)
    bare = time_ratio(lambda: output.parse(raw), lambda: adapter.validate_json(raw))
    wrapped = time_ratio(lambda: output.parse(fenced), lambda: adapter.validate_json(raw))
    print(f"\n{name}, {spelling}, {len(raw)} characters: bare {bare:.2f}, fenced {wrapped:.2f}")
    most_bare, most_fenced = OVER_THE_BARS.get(name, BARS)
    assert bare <= most_bare
    assert wrapped <= most_fenced


HOSTILE = [
    "[",
    '{"a":',
    '"',
    "```\n",
    "{ ",
    "[1] ",
    '{"',
    "`",
    "<think>",
    "} ",
    "\\",
    "1",
    "{}",
    '"a" ',
    '[{"a":1},',
    "{'a': 1} ",
    '{"a":1,}',
]


@pytest.mark.parametrize("extract", ["none", "fence", "embedded"])
@pytest.mark.parametrize("piece", HOSTILE)
def test_time_is_linear_on_hostile_text(piece: str, extract: Extract) -> None:
    output = json_output(dict[str, int], extract=extract)
    short, long = piece * (200_000 // len(piece)), piece * (2_000_000 // len(piece))
    ratio = time_ratio(lambda: output.parse(long), lambda: output.parse(short), rounds=2)
    print(f"\n{piece!r}, {extract}: ten times the text takes {ratio:.1f} times as long")
    # Memory beyond the caches of a processor is slower; what grows with the square would take 100 times as long.
    assert ratio <= 50
