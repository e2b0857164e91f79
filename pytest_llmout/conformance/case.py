"""One text given to a canonicaliser, and what came back."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from time import process_time
from typing import TYPE_CHECKING

from pytest_llmout.conformance.judge import Judgement, Readings, judge, read

if TYPE_CHECKING:
    from collections.abc import Callable

_LONGEST_JUDGED = 8_000
_REMEMBERED = 3


@dataclass(frozen=True, slots=True)
class Problem:
    """How an invariant is broken."""

    wanted: str
    got: str


@dataclass(frozen=True, slots=True)
class Raised:
    """What a candidate raised instead of answering."""

    error: BaseException


@dataclass
class Subject:
    """The canonicaliser under test, and the last texts it was given."""

    function: Callable[[str], object]
    clock: Callable[[], float] = process_time
    """What time is measured by."""
    earlier: dict[str, object] = field(default_factory=dict)
    """Texts with what first came back for them, oldest first."""
    probes: dict[str, object] = field(default_factory=dict)
    """Texts that are asked again and again, with what first came back for them."""

    def call(self, raw: str) -> object:
        """Return what comes back for a text, be it an exception."""
        try:
            return self.function(raw)
        except (Exception, SystemExit) as error:  # noqa: BLE001  whatever the candidate raises is a finding
            return Raised(error)

    def first(self, raw: str) -> object:
        """Do what `call` does, but ask only once for each of the last few texts."""
        if raw not in self.earlier:
            if len(self.earlier) > _REMEMBERED:
                del self.earlier[next(iter(self.earlier))]
            self.earlier[raw] = self.call(raw)
        return self.earlier[raw]

    def probe(self, raw: str) -> object:
        """Do what `call` does, but ask only once."""
        if raw not in self.probes:
            self.probes[raw] = self.call(raw)
        return self.probes[raw]


class Case:
    """What the invariants look at."""

    def __init__(self, subject: Subject, raw: str) -> None:
        self.subject = subject
        self.raw = raw

    @cached_property
    def outcome(self) -> object:
        """What came back the first time."""
        return self.subject.first(self.raw)

    @cached_property
    def got(self) -> str:
        """The text that came back; meaningful once the invariant `text` holds."""
        return str(self.outcome)

    @property
    def is_short(self) -> bool:
        """Whether the text can be given again and again, and be read by slow parsers."""
        return len(self.raw) <= _LONGEST_JUDGED

    @property
    def is_judged(self) -> bool:
        """Whether the parsers that judge are asked about the text."""
        return self.is_short and not self.judgement.is_disputed

    @cached_property
    def judgement(self) -> Judgement:
        """What the judges say about the text that was given."""
        return judge(self.raw)

    @cached_property
    def after(self) -> Readings:
        """How the judges read what came back."""
        return read(self.got)

    @cached_property
    def insertions(self) -> list[int]:
        """Where in the given text asterisks were inserted; meaningful once the invariant `inserts` holds.

        An asterisk that joins others may stand anywhere among them, so the place given is behind all of them.
        """
        places: list[int] = []
        at = 0
        for character in self.got:
            if at < len(self.raw) and character == self.raw[at]:
                at += 1
            else:
                places.append(at)
        return places


def shown(text: object, limit: int = 120) -> str:
    """Show a value in one line, with its middle left out if it is long."""
    line = ascii(text) if isinstance(text, str) and not text.isprintable() else repr(text)
    return shortened(line, limit)


def shortened(line: str, limit: int = 120) -> str:
    """Leave out the middle of a long line."""
    half = limit // 2
    return line if len(line) <= limit else f"{line[:half]} … {line[-half:]}"
