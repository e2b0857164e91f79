"""Replies of equal values have one canonical text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pytest_llmout.conformance.case import Problem, shown
from pytest_llmout.contract import Ok

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_llmout.conformance.output_case import OutputCase

_MOST_KEYS = 10


def check(case: OutputCase) -> Problem | None:
    """Spell the canonical text in other ways, where it is JSON, also without what may be a default."""
    if case.ok is None:
        return None
    shape = repr(case.ok.value)  # unlike `==` it tells dictionaries of different order apart
    for raw in _spellings(case.ok.canonical):
        match case.again(raw):
            case Ok(value, canonical) if repr(value) == shape and canonical != case.ok.canonical:
                return Problem(f"{shown(case.ok.canonical)} for {shown(raw)} too", shown(canonical))
    return None


def _spellings(canonical: str) -> list[str]:
    try:
        tree = json.loads(canonical)
    except (ValueError, RecursionError):
        return []
    variants = list(_variants(tree)) if isinstance(tree, dict) else []
    return [*map(json.dumps, variants), json.dumps(tree, indent=2), f"```json\n{canonical}\n```", f"\n{canonical} \n"]


def _variants(tree: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield objects that may stand for the same value: in another order, without what may be a default, longer."""
    yield dict(reversed(tree.items()))
    for key in list(tree)[:_MOST_KEYS]:
        yield {other: tree[other] for other in tree if other != key}
        if isinstance(tree[key], str):
            yield {**tree, key: f"{tree[key]}~"}
