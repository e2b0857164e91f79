"""What the faulty canonicalisers are made of."""

from __future__ import annotations

import re
from threading import current_thread
from typing import TYPE_CHECKING

from pytest_llmout.conformance.mutants.promotion import insert_asterisks
from pytest_llmout.outputs.markdown_output import apply_edits, canonicalize_markdown, markdown_edits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

right = canonicalize_markdown


def only(keep: Callable[[str, int, int], object]) -> Callable[[str], str]:
    """Promote only the nodes for which this holds, given the text and where the node starts and has ended."""
    return lambda raw: insert_asterisks(raw, [(start, end) for start, end in nodes(raw) if keep(raw, start, end)])


def unless(pattern: str) -> Callable[[str], str]:
    """Leave alone the nodes whose text matches."""
    return only(lambda raw, start, end: not re.search(pattern, raw[start + 1 : end - 1]))


def unless_behind(pattern: str) -> Callable[[str], str]:
    """Leave alone the nodes before which, back to the start of the line, this stands."""
    return only(
        lambda raw, start, _: not re.search(pattern + r"\Z", re.split(r"[\r\n]", raw[max(0, start - 99) : start])[-1])
    )


def unless_in(pattern: str) -> Callable[[str], str]:
    """Leave texts alone in which this stands."""
    return lambda raw: raw if re.search(pattern, raw) else right(raw)


def also(pattern: str, replacement: str) -> Callable[[str], str]:
    """Replace something in the canonical text."""
    return lambda raw: re.sub(pattern, replacement, right(raw))


def moved(measure: Callable[[str], int]) -> Callable[[str], str]:
    """Take the offsets for something else than characters."""
    return lambda raw: apply_edits(raw, [(measure(raw[:at]), star) for at, star in markdown_edits(raw)])


def failing(error: BaseException, pattern: str) -> Callable[[str], str]:
    """Raise for the texts that match."""

    def canonicalize(raw: str) -> str:
        if re.search(pattern, raw):
            raise error
        return right(raw)

    return canonicalize


def nodes(raw: str) -> Iterator[tuple[int, int]]:
    """Yield where the nodes that are promoted start and have ended."""
    offsets = [offset for offset, _ in markdown_edits(raw)]
    return zip(offsets[::2], offsets[1::2], strict=True)


def every(number: int) -> Callable[[str], str]:
    """Leave a text alone each time after so many calls."""
    calls: list[str] = []

    def canonicalize(raw: str) -> str:
        calls.append(raw)
        return raw if len(calls) % number == 0 else right(raw)

    return canonicalize


def cached(key: Callable[[str], object]) -> Callable[[str], str]:
    """Give the result of the first text of the same key that differs in asterisks only."""
    cache: dict[object, tuple[str, str]] = {}

    def canonicalize(raw: str) -> str:
        known, canonical = cache.setdefault(key(raw), (raw, right(raw)))
        return canonical if known.replace("*", "") == raw.replace("*", "") else right(raw)

    return canonicalize


def by_small_letters() -> Callable[[str], str]:
    """Give the result of the first text that differs in capitals only."""
    cache: dict[str, str] = {}
    return lambda raw: cache.setdefault(raw.casefold(), right(raw))


def late(calls: int) -> Callable[[str], str]:
    """Leave the first texts alone."""
    left = iter(range(calls))
    return lambda raw: right(raw) if next(left, None) is None else raw


def in_first_thread() -> Callable[[str], str]:
    """Leave texts alone in other threads than the one that made this."""
    first = current_thread()
    return lambda raw: right(raw) if current_thread() is first else raw


def after(pattern: str) -> Callable[[str], str]:
    """Leave a text alone that comes after one in which this stands."""
    last = [""]

    def canonicalize(raw: str) -> str:
        was, last[0] = last[0], raw
        return raw if re.search(pattern, was) else right(raw)

    return canonicalize


def buffered() -> Callable[[str], str]:
    """Collect the result where other threads collect theirs."""
    buffer: list[str] = []

    def canonicalize(raw: str) -> str:
        buffer.clear()
        for character in right(raw):
            buffer.append(character)  # noqa: PERF402  the fault itself: others append meanwhile
        return "".join(buffer)

    return canonicalize


class Markup(str):
    """A text that is not quite one."""

    __slots__ = ()


def quadratic(raw: str) -> str:
    """Count in all that stands before and behind each eighth character."""
    for place in range(0, len(raw), 8):
        raw[:place].count("*")
        raw[place:].count("_")
    return right(raw)


def slow(mark: str) -> Callable[[str], str]:
    """Take a time that grows with the square of how often something stands in a text."""

    def canonicalize(raw: str) -> str:
        for _ in range(raw.count(mark) ** 2 // 10):
            pass
        return right(raw)

    return canonicalize


def exponential(raw: str) -> str:
    """Match a pattern that has many ways to fail on brackets."""
    re.match(r"(\[+)+\(", raw)
    return right(raw)


def recursive(raw: str, depth: int = 0) -> str:
    """Call itself for each quote within another."""
    return right(raw) if not raw.startswith(">", 2 * depth) else recursive(raw, depth + 1)


def by_blocks(raw: str) -> str:
    """Take each block for a text."""
    return "\n\n".join(map(right, raw.split("\n\n")))


def swapped(raw: str) -> str:
    """Swap two blocks far from the start."""
    blocks = right(raw).split("\n\n")
    blocks[40:42] = blocks[40:42][::-1]
    return "\n\n".join(blocks)


def without_last(raw: str) -> str:
    """Miss the last node."""
    return insert_asterisks(raw, list(nodes(raw))[:-1])
