"""Making a text that breaks an invariant as small as it gets."""

from __future__ import annotations

from math import inf
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytest_llmout.conformance.finding import Finding

_SIMPLEST = "a"


def shrink(text: str, is_broken: Callable[[str], bool], *, seconds: float = inf) -> str:
    """Return a smaller text that is broken too, the smallest after so many seconds.

    Pieces are left out, from halves down to single characters (the algorithm ddmin of Zeller and Hildebrandt, 2002);
    then every letter and digit that can be is made an `a`. It is done on the text itself, since a text may come from
    anywhere, not only from a strategy.
    """
    deadline = monotonic() + seconds
    size = len(text)
    while size := size // 2:
        start = 0
        while start < len(text):
            if monotonic() > deadline:
                return text
            smaller = text[:start] + text[start + size :]
            if is_broken(smaller):
                text = smaller
            else:
                start += size
    for place, character in enumerate(text):
        if character.isalnum() and character != _SIMPLEST and monotonic() < deadline:
            simpler = text[:place] + _SIMPLEST + text[place + 1 :]
            text = simpler if is_broken(simpler) else text
    return text


def smallest(finding: Finding, find: Callable[[str], Finding | None], *, seconds: float) -> Finding:
    """Return the smallest finding of the same invariant that some seconds of shrinking give."""

    def is_broken(raw: str) -> bool:
        nonlocal finding
        found = find(raw)
        if found is None or found.invariant != finding.invariant:
            return False
        finding = found
        return True

    shrink(finding.text, is_broken, seconds=seconds)
    return finding
