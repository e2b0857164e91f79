"""Judging a bare JSON text against a schema: the seam between JSON and whatever the schema is written in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from pytest_llmout.contract import Failure, Ok

T_co = TypeVar("T_co", covariant=True)


class JsonJudge(Protocol[T_co]):
    """A schema that can judge a JSON text."""

    def judge(self, text: str, /, *notes: str) -> Ok[T_co] | Failure:
        """Say whether the text is JSON that fits, and what its canonical text is; raises for no text whatever.

        `notes` say what was met on the way to the text; an `Ok` begins with them.
        """

    def json_schema(self) -> dict[str, Any] | None:
        """Return the schema as JSON Schema (draft 2020-12), or `None` if it cannot be written so."""
