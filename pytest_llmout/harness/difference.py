"""Two texts that should be equal, shown so that a person sees where they are not."""

from __future__ import annotations

from difflib import SequenceMatcher
from itertools import islice, zip_longest
from typing import TYPE_CHECKING

from pytest_llmout.counted import counted
from pytest_llmout.harness.sole_difference import normal_form, sole_difference
from pytest_llmout.harness.visible import cells, visible

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

CONTEXT_LINES = 3
WINDOW_LINES = 40
WINDOW_CHARACTERS = 160
MAX_LINES = 180
"""What `render_difference` never exceeds; callers add their own few lines."""


def render_difference(before: str, after: str, *, before_label: str, after_label: str) -> list[str]:
    """Describe where two different texts differ.

    Lines are split on LF alone and shown with visible whitespace; carets stand under what is removed, under the
    character before which something is inserted, and under what is inserted. From long texts only a window that
    starts at the first difference is shown, so the cost is linear in the size of the texts.

    Args:
        before: The text on the `-` lines.
        after: The text on the `+` lines.
        before_label: What the first text is.
        after_label: What the second text is.

    Returns:
        At most `MAX_LINES` printable lines.
    """
    heading = [*_summary(before, after), f"- {before_label}", f"+ {after_label}"]
    lines = [*heading, *islice(_body(_lines(before), _lines(after)), MAX_LINES)]
    return lines if len(lines) <= MAX_LINES else [*lines[: MAX_LINES - 1], "  … the rest is not shown"]


def _summary(before: str, after: str) -> Iterator[str]:
    offset = _common(before, after)
    line = before.count("\n", 0, offset) + 1
    column = offset - before.rfind("\n", 0, offset)
    yield f"first difference: line {line}, column {column} (character {offset} of {len(before)} and {len(after)})"
    sole = sole_difference(before, after)
    if sole:
        yield f"the texts differ in nothing but {sole}"
    if sole == "Unicode normalisation":
        yield (
            f"one is {normal_form(before)} ({_code_points(before, offset)} …), "
            f"the other {normal_form(after)} ({_code_points(after, offset)} …)"
        )


def _code_points(text: str, offset: int) -> str:
    return " ".join(f"U+{ord(char):04X}" for char in text[offset : offset + 3]) or "nothing"


def _common(before: Sequence[str], after: Sequence[str]) -> int:
    pairs = zip(before, after, strict=False)
    return next((n for n, (old, new) in enumerate(pairs) if old != new), min(len(before), len(after)))


def _lines(text: str) -> list[str]:
    *ended, last = text.split("\n")
    return [f"{line}\n" for line in ended] + ([last] if last else [])


def _body(before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    start = _common(before, after)
    yield from _context(before, max(0, start - CONTEXT_LINES), start)
    old, new = before[start : start + WINDOW_LINES], after[start : start + WINDOW_LINES]
    for tag, old_from, old_to, new_from, new_to in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            yield from _context(before, start + old_from, start + min(old_to, old_from + CONTEXT_LINES))
        else:
            yield from _changes(old[old_from:old_to], new[new_from:new_to], start + old_from, start + new_from)
    rest = max(len(before), len(after)) - start - WINDOW_LINES
    if rest > 0:
        yield f"  … {counted(rest, 'more line is', 'more lines are')} not shown"


def _context(lines: Sequence[str], start: int, stop: int) -> Iterator[str]:
    for number in range(start, stop):
        yield _numbered(" ", number, lines[number])


def _changes(old: Sequence[str], new: Sequence[str], old_number: int, new_number: int) -> Iterator[str]:
    for index, (removed, added) in enumerate(zip_longest(old, new)):
        if removed is None:
            yield _numbered("+", new_number + index, added)
        elif added is None:
            yield _numbered("-", old_number + index, removed)
        else:
            yield from _change(removed, added, old_number + index, new_number + index)


def _change(removed: str, added: str, old_number: int, new_number: int) -> Iterator[str]:
    offset = 0
    if max(len(removed), len(added)) > WINDOW_CHARACTERS:
        offset = max(0, _common(removed, added) - WINDOW_CHARACTERS // 4)
    window = slice(offset, offset + WINDOW_CHARACTERS)
    old_marks, new_marks = _carets(removed[window], added[window])
    yield _numbered("-", old_number, removed, offset)
    yield from _marks(old_marks)
    yield _numbered("+", new_number, added, offset)
    yield from _marks(new_marks)


def _carets(old: str, new: str) -> tuple[str, str]:
    old_places, new_places = set[int](), set[int]()
    for tag, old_from, old_to, new_from, new_to in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        match tag:
            case "insert":
                back = _slide(new, new_from, new_to)
                old_places.add(old_from - back)
                new_places.update(range(new_from - back, new_to - back))
            case "delete":
                back = _slide(old, old_from, old_to)
                old_places.update(range(old_from - back, old_to - back))
            case "replace":
                old_places.update(range(old_from, old_to))
                new_places.update(range(new_from, new_to))
    return _mark_line(old, old_places), _mark_line(new, new_places)


def _slide(text: str, start: int, stop: int) -> int:
    """Return how far to the left a part could have been put in with the same result: `**` is one place, not two."""
    back = 0
    while back < start and text[start - back - 1] == text[stop - back - 1]:
        back += 1
    return back


def _mark_line(text: str, places: set[int]) -> str:
    marks = [("^" if place in places else " ") * cells(visible(char)) for place, char in enumerate(text)]
    return ("".join(marks) + ("^" if len(text) in places else "")).rstrip()


def _numbered(sign: str, number: int, line: str, offset: int = 0) -> str:
    shown = line[offset : offset + WINDOW_CHARACTERS]
    left, right = "…" if offset else " ", "…" if offset + len(shown) < len(line) else ""
    return f"{sign} {number + 1:>4} |{left}{visible(shown)}{right}"


def _marks(marks: str) -> Iterator[str]:
    if marks:
        yield f"       | {marks}"
