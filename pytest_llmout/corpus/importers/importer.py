"""What an importer is, what it reads and what it yields, and how the right one is found."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, Protocol, cast

from pytest_llmout.errors import UsageError
from pytest_llmout.lookup import candidates, load_attribute, load_module

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.metadata import EntryPoint

    from pytest_llmout.corpus.importers.source import Peek, Source

GROUP = "pytest_llmout.importers"


@dataclass(frozen=True, slots=True)
class Draft:
    """A reply as its source holds it: a reply record without what can be filled in."""

    where: str
    """The place within the source: a line, a path within JSON, a file of a folder."""
    fields: dict[str, Any] = field(default_factory=dict)
    """Fields of `ReplyRecord`; `None` means absent. Whatever does not fit the record is skipped, with the reason."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """An entry of a source that gives no reply."""

    where: str
    """The place within the source."""
    why: str
    """One of few phrases, which are counted."""
    detail: str = ""
    """What tells this entry from others that are skipped for the same reason."""

    def __str__(self) -> str:
        """Give the reason with its detail."""
        return f"{self.why}: {self.detail}" if self.detail else self.why


class Importer(Protocol):
    """A module that reads one format; the first line of its docstring says which."""

    __doc__: str | None

    def detect(self, peek: Peek) -> bool:
        """Return whether the start of a source is of this format and of no other."""

    def read(self, source: Source) -> Iterator[Draft | Skipped]:
        """Yield the replies of a source in its order, holding few of them in memory at a time."""


def formats() -> dict[str, str]:
    """Return every format that can be imported, sorted, with its description."""
    return {name: (load_importer(name).__doc__ or "").partition("\n")[0] for name in _names()}


def load_importer(name: str) -> Importer:
    """Return the importer of a format.

    Raises:
        UsageError: There is no such format, or its importer cannot be imported.
    """
    entries = [entry for entry in entry_points(group=GROUP) if entry.name == name]
    if not entries:
        raise UsageError(f"no format {name!r}{candidates(name, _names())}; `llmout formats` describes them")
    try:
        return cast("Importer", _loaded(entries[0]))
    except UsageError as error:
        raise UsageError(f"the importer of {name} cannot be imported: {error}") from error


def _loaded(entry: EntryPoint) -> object:
    return load_attribute(f"{entry.module}:{entry.attr}") if entry.attr else load_module(entry.module)


def detect_format(peek: Peek) -> str:
    """Return the name of the one format that a source is of.

    Raises:
        UsageError: No format fits, or several do.
    """
    fitting = [name for name in _names() if load_importer(name).detect(peek)]
    match fitting:
        case [name]:
            return name
        case []:
            names = list(peek.first)[:12] if isinstance(peek.first, dict) else []
            seen = f"its first entry has {', '.join(names)}" if names else peek.problem
            raise UsageError(
                f"{peek.title}: the format is not one that is known: name it with --from (llmout formats)"
                + (f"; {seen}" if seen else "")
            )
        case _:
            raise UsageError(f"{peek.title}: could be {' or '.join(fitting)}: name the format with --from")


def _names() -> list[str]:
    return sorted({entry.name for entry in entry_points(group=GROUP)})
