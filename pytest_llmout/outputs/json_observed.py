"""Telling a model how its JSON misses the schema: each path, what was expected there, what was seen."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from pytest_llmout.contract import Failure, FailureKind
from pytest_llmout.outputs.one_line import excerpt, one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pydantic import ValidationError
    from pydantic_core import ErrorDetails

_NAMED = 5
_FIRST_LIMIT = 300
_NAMED_LIMIT = 440
_PLAIN_KEY = re.compile(r"[^\W\d]\w*")
_WITHOUT_VALUE = {"missing": "is required but missing", "extra_forbidden": "is not a key of the schema"}
"""Errors about a key itself, by pydantic's name for them; showing the value there would not help."""


def explain_validation(error: ValidationError, tree: Any) -> Failure:  # noqa: ANN401  any JSON value
    """Turn pydantic's errors into a failure."""
    details = error.errors(include_url=False, include_context=False)
    return schema_failure([_complaint(detail, tree) for detail in details[:_NAMED]], total=len(details))


def explain_validator_error(error: Exception) -> Failure:
    """Turn the crash of a check in the schema into a failure."""
    what = f"a check of the schema stopped with {type(error).__name__}"
    return Failure(FailureKind.SCHEMA, one_line(f"the JSON could not be checked: {what}"), "validator_error")


def schema_failure(complaints: Sequence[str], *, total: int) -> Failure:
    """Join as many complaints, of `total` that there are, as one line holds."""
    observed = f"the JSON does not fit the schema: {excerpt(complaints[0], _FIRST_LIMIT)}"
    named = 1
    for complaint in complaints[1:]:
        if len(observed) + len(complaint) > _NAMED_LIMIT:
            break
        observed += f"; {complaint}"
        named += 1
    more = f"; and {total - named} more" if total > named else ""
    return Failure(FailureKind.SCHEMA, one_line(observed + more), "validation")


def json_path(steps: Sequence[str | int]) -> str:
    """Write a path as a model would look for it: `items[2].name`, or `the value` for the whole."""
    return "".join(map(_step, steps)).removeprefix(".") or "the value"


def seen(value: Any) -> str:  # noqa: ANN401  any JSON value
    """Show a value shortly, as JSON."""
    return excerpt(json.dumps(value, ensure_ascii=False, default=str))


def _step(step: str | int) -> str:
    if isinstance(step, str) and _PLAIN_KEY.fullmatch(step):
        return f".{step}"
    return f"[{json.dumps(step, ensure_ascii=False)}]"


def _complaint(detail: ErrorDetails, tree: Any) -> str:  # noqa: ANN401  any JSON value
    path = json_path(list(_real_steps(detail, tree)))
    if words := _WITHOUT_VALUE.get(detail["type"]):
        return f"{path} {words}"
    expected = detail["msg"].removeprefix("Value error, ").replace("Input should be", "expected", 1)
    expected, _, _ = expected.partition(", unable to parse")
    return f"{path}: {expected}, but found {seen(detail['input'])}"


def _real_steps(detail: ErrorDetails, tree: Any) -> Iterator[str | int]:  # noqa: ANN401  any JSON value
    """Drop the names of union members and checks that pydantic puts between the steps of a path."""
    for step in detail["loc"]:
        match tree, step:
            case dict(), str() if step in tree:
                tree = tree[step]
                yield step
            case list(), int() if step < len(tree):
                tree = tree[step]
                yield step
            case _:
                continue
    if detail["type"] == "missing":
        yield detail["loc"][-1]
