"""The output type of replies that are a list, one item a line."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import dropwhile

from pytest_llmout.contract import Failure, FailureKind, Ok
from pytest_llmout.errors import UsageError
from pytest_llmout.outputs.json_fence import unwrap_fence

_BULLET = re.compile(
    r"(?P<indent>[ \t]*)(?:[-*+•◦‣▪●○·–—]|\(?[0-9]{1,9}[.)]|\(?[a-zA-Z]\))(?:[ \t]+(?P<item>.*))?", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class LinesOutput:
    """A reply that lists its items line by line; made by `lines_output`."""

    name: str
    request_hint: str | None
    max_retries: int
    min_items: int
    max_items: int | None

    def parse(self, raw: str) -> Ok[list[str]] | Failure:
        """Judge one reply; see `lines_output` for what is an item."""
        inside = unwrap_fence(raw)
        text = raw if inside is None else inside
        lines = [line.rstrip() for line in text.split("\n")]
        filled = [line for line in lines if line]
        if not filled:
            return Failure(FailureKind.SYNTAX, "(empty reply)", "empty")
        if any(map(_BULLET.fullmatch, filled)):
            listed, notes = _trimmed(filled)
        else:
            listed, notes = filled, ()
        items = _items(listed)
        return self._counted(items) or Ok(
            items,
            "".join(f"- {item}\n" for item in items),
            changed=len({match["indent"] for match in map(_BULLET.fullmatch, listed) if match}) > 1,
            notes=notes if inside is None else ("fence", *notes),
        )

    def retryable(self, failure: Failure) -> bool:  # noqa: ARG002  the contract asks with the failure at hand
        """Say that asking again can help."""
        return True

    def _counted(self, items: list[str]) -> Failure | None:
        if len(items) < self.min_items:
            observed = f"expected at least {self.min_items} items, one a line, but found {len(items)}"
            return Failure(FailureKind.SCHEMA, observed, "too_few")
        if self.max_items is not None and len(items) > self.max_items:
            observed = f"expected at most {self.max_items} items, one a line, but found {len(items)}"
            return Failure(FailureKind.SCHEMA, observed, "too_many")
        return None


def lines_output(
    *,
    name: str = "lines",
    request_hint: str | None = "Reply with a list, one item a line, each after a hyphen.",
    min_items: int = 1,
    max_items: int | None = None,
    max_retries: int = 2,
) -> LinesOutput:
    """Make the output type of replies that are a list, one item a line.

    Bullets of every kind count (`-`, `*`, `+`, `•`, dashes, `1.`, `1)`, `(1)`, `a)`) and are taken off. Where there are
    any, the lines before the first are a lead-in, unindented lines after the last a remark, and other lines go on with
    the item above them. Where there are none, every line is an item.

    Args:
        name: The name that records and messages use.
        request_hint: The instruction for the prompt.
        min_items: The fewest items that are accepted.
        max_items: The most items that are accepted, if there is a limit.
        max_retries: How many re-asks may follow the first reply.

    Returns:
        An output type whose value is the list of items, and whose canonical text has each after a hyphen. `changed`
        says whether a list within the list was flattened. `reason` is `empty` (`syntax`), `too_few` or `too_many`
        (`schema`); `notes` may hold `fence`, `lead_in` and `trailing_remark`.

    Raises:
        UsageError: The limits contradict each other.
    """
    if min_items < 0 or (max_items is not None and max_items < min_items):
        raise UsageError(f"min_items={min_items}, max_items={max_items}: no list can keep both limits")
    return LinesOutput(name, request_hint, max_retries, min_items, max_items)


def _trimmed(lines: list[str]) -> tuple[list[str], tuple[str, ...]]:
    """Take off the lines around a bulleted list."""
    begun = list(dropwhile(lambda line: not _BULLET.fullmatch(line), lines))
    kept = list(dropwhile(_is_remark, reversed(begun)))[::-1]
    present = {"lead_in": len(begun) < len(lines), "trailing_remark": len(kept) < len(begun)}
    return kept, tuple(note for note, met in present.items() if met)


def _is_remark(line: str) -> bool:
    return not line.startswith((" ", "\t")) and not _BULLET.fullmatch(line)


def _items(lines: list[str]) -> list[str]:
    is_bulleted = any(map(_BULLET.fullmatch, lines))
    items: list[str] = []
    for line in lines:
        bullet = _BULLET.fullmatch(line)
        if bullet or not is_bulleted:
            items.append((bullet["item"] or "" if bullet else line).strip())
        else:
            items[-1] = f"{items[-1]} {line.strip()}".strip()
    return [item for item in items if item]
