"""The terms in which surfaces are compared and written: words and what they look like."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class Style(StrEnum):
    """What a surface makes visible about a word."""

    BOLD = "bold"
    """Headings and the head of a table among it: they are shown bold everywhere."""
    ITALIC = "italic"
    STRUCK = "struck"
    CODE = "code"
    LINKED = "linked"
    """By an absolute web or mail address under other words; bare addresses are linked, or not, by who shows them."""


Styles = frozenset[Style]
PLAIN: Styles = frozenset()

_ABSOLUTE = re.compile(r"(?:https?://|mailto:)\S", re.IGNORECASE)
_BARE = re.compile(r"\s*(?:[a-z][a-z0-9+.-]*:|www\.|\S+@)\S*\s*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Run:
    """Text of one look."""

    text: str
    styles: Styles = PLAIN
    address: str = ""
    """Where a link leads."""
    left: str = ""
    """Why the `*` emphasis around it, if any, can have been left as written: `nested`, or `not provable`."""


def is_absolute(address: str) -> bool:
    """Whether a link may leave the text: to the web or to a mailbox."""
    return bool(_ABSOLUTE.match(address))


def web_address(address: str) -> str:
    """Return an address as surfaces write it: without spaces, and without what ends it in their syntax."""
    return quote(address, safe="/:?#[]@!$&'()*+,;=%~-._")


def with_links_under_words(runs: Iterable[Run]) -> list[Run]:
    """Take the look of a link from those whose words are an address themselves."""
    found: list[Run] = []
    for address, group in groupby((run for run in runs if run.text), key=attrgetter("address")):
        label = list(group)
        is_bare = not address or _BARE.fullmatch("".join(run.text for run in label))
        found += [replace(run, styles=run.styles - {Style.LINKED}) for run in label] if is_bare else label
    return found


def joined(runs: Iterable[Run]) -> Iterator[Run]:
    """Join neighbours of one look, and leave out what is empty."""
    last: Run | None = None
    for run in runs:
        if last and (last.styles, last.address) == (run.styles, run.address):
            last = replace(last, text=last.text + run.text)
        elif run.text:
            if last:
                yield last
            last = run
    if last:
        yield last
