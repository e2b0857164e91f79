"""Following references within a JSON Schema."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from pytest_llmout.outputs.native.schema_limits import subschemas

if TYPE_CHECKING:
    from collections.abc import Mapping


def resolve(root: Mapping[str, Any], reference: str) -> Any:  # noqa: ANN401  a schema is a dict or a bool
    """Return what a reference points to, or `None` if it is not a place or an anchor within the schema.

    A reference is a JSON Pointer (RFC 6901) in a URI fragment, or the name of an `$anchor`.
    """
    base, _, fragment = reference.partition("#")
    if base not in {"", root.get("$id")}:
        return None
    fragment = unquote(fragment)
    if fragment and not fragment.startswith("/"):
        return next((inner for inner in subschemas(dict(root)) if inner.get("$anchor") == fragment), None)
    target: Any = root
    for step in fragment.split("/")[1:]:
        target = _member(target, step.replace("~1", "/").replace("~0", "~"))
    return target


def _member(parent: Any, step: str) -> Any:  # noqa: ANN401  any JSON value
    match parent:
        case dict():
            return parent.get(step)
        case list() if step.isdecimal() and int(step) < len(parent):
            return parent[int(step)]
        case _:
            return None
