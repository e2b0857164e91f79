"""What pydantic found wrong, in the words of our messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pydantic import ValidationError

Location = tuple[int | str, ...]


def first_problem(error: ValidationError) -> tuple[Location, str]:
    """Return where the first problem lies and what it is; the message says how many more there are."""
    first, *more = error.errors(include_url=False, include_input=False)
    message = "should be an object" if first["type"] == "model_type" else first["msg"].removeprefix("Value error, ")
    return first["loc"], message + (f" (and {len(more)} more)" if more else "")


def dotted(location: Location) -> list[str]:
    """Return the location as one word such as `messages.0.role`, or nothing if it is the whole."""
    return [".".join(map(str, location))] if location else []
