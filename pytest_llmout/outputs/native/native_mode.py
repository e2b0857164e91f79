"""What a provider-native JSON mode is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    from pytest_llmout.outputs.json_output import JsonOutput


@dataclass(frozen=True, slots=True)
class NativeMode:
    """An output type in the words of a provider."""

    request: dict[str, Any]
    """What to add to the body of a request; empty if the provider cannot take the schema at all."""
    unexpressed: tuple[str, ...]
    """Rules that the provider does not enforce, each with its path; only `parse` holds a reply to them."""
    narrowed: tuple[str, ...]
    """What the schema allows and the provider will never write, each with its path."""


def json_schema_of(output: JsonOutput[Any]) -> dict[str, Any]:
    """Return the JSON Schema of an output type.

    Raises:
        UsageError: The schema cannot be written as JSON Schema.
    """
    schema = output.judge.json_schema()
    if schema is None:
        raise UsageError(f"output type {output.name!r} has no JSON Schema: use its request_hint instead")
    return schema
