"""Judging a bare JSON text against a schema: the seam between JSON and whatever the schema is written in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from pytest_llmout.contract import Failure, Ok
    from pytest_llmout.outputs.json_strict import JsonText

T_co = TypeVar("T_co", covariant=True)


class JsonJudge(Protocol[T_co]):
    """A schema that can judge a JSON value."""

    def judge(self, text: JsonText, /) -> Ok[T_co] | Failure:
        """Say whether the value fits, and what its canonical text is; raises for no value whatever."""

    def json_schema(self) -> dict[str, object] | None:
        """Return the schema as JSON Schema (draft 2020-12), or `None` if it cannot be written so."""
