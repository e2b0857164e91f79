"""Whether surfaces show the same words bold, italic, struck, as code and as links."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, groupby, repeat
from operator import itemgetter
from typing import TYPE_CHECKING

from pytest_llmout.boundary.surfaces.github import github
from pytest_llmout.boundary.surfaces.html_reader import read_html
from pytest_llmout.boundary.surfaces.lines import read_lines
from pytest_llmout.boundary.surfaces.memory import memory
from pytest_llmout.boundary.surfaces.memory_reader import read_memory
from pytest_llmout.boundary.surfaces.mrkdwn_reader import read_mrkdwn
from pytest_llmout.boundary.surfaces.page import page
from pytest_llmout.boundary.surfaces.slack import slack
from pytest_llmout.boundary.surfaces.styles import Run, Style, with_links_under_words
from pytest_llmout.counted import counted
from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from pytest_llmout.boundary.surfaces.styles import Styles

PARSERS, SURFACE = "parsers differ", "surfaces differ"
REASONS = {
    "nested": "The words stand in one emphasis within another, which the canonical form leaves as written.",
    "not provable": "The words stand in an emphasis of single stars, which Slack shows bold and others italic. The "
    "canonical form makes it bold for all, unless that cannot be proved to leave the rest of the reply as it was.",
    PARSERS: "GitHub's parser, of an older CommonMark, reads the Markdown another way.",
    SURFACE: "None of these, so one of the surfaces is at fault.",
}
"""Why surfaces disagree, and what that means."""

_SHOWN_WORDS = 60
_SHOWN_PLACES = 10


@dataclass(frozen=True, slots=True)
class Surface:
    """A place where replies are read."""

    show: Callable[[str], str]
    """Project Markdown to what the place is given."""
    read: Callable[[str], list[Run]]
    """Read back which text the place then shows, in order, and with which looks."""


SURFACES = {
    "slack": Surface(slack, read_mrkdwn),
    "github": Surface(github, read_html),
    "page": Surface(page, read_html),
    "memory": Surface(memory, read_memory),
}


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Words that not all surfaces show alike."""

    words: str
    looks: Mapping[str, Styles]
    """How each surface shows them; empty if the surfaces do not even show the same words."""
    reason: str
    """One of `REASONS`."""

    def __str__(self) -> str:
        """Name the words, the looks and the reason."""
        looks = ", ".join(f"{name} {self.look(name)}" for name in self.looks)
        return f"{self.words[:_SHOWN_WORDS]!r}: {looks or 'not on every surface'} ({self.reason})"

    def look(self, surface: str) -> str:
        """Say how a surface shows the words; `-` if the surfaces do not even show the same words."""
        return "+".join(sorted(self.looks[surface])) or "plain" if surface in self.looks else "-"


def disagreements(text: str, surfaces: Mapping[str, Surface] = SURFACES) -> list[Disagreement]:
    """Return what surfaces show differently of a text, in its order.

    Letters and digits are compared, one by one; punctuation and spaces are each surface's own.

    Args:
        text: Markdown, canonical or not.
        surfaces: By name. One of your own is added with `{**SURFACES, "mine": Surface(show, read)}`.

    Raises:
        UsageError: There are fewer than two surfaces.
    """
    if len(surfaces) < 2:  # noqa: PLR2004  two is what it takes to disagree
        raise UsageError(f"surfaces can only disagree if there are two or more; given: {', '.join(surfaces) or 'none'}")
    read = {name: surface.read(surface.show(text)) for name, surface in surfaces.items()}
    first_looks, *others = map(_looks, read.values())
    if all(looks == first_looks for looks in others):
        return []
    shown = {name: _letters(runs) for name, runs in read.items()}
    first = next(iter(shown))
    for name, letters in shown.items():
        if [run.text for run in letters] != [run.text for run in shown[first]]:
            return [Disagreement(_first_difference(_spaced(read[first]), _spaced(read[name])), {}, _fault(text))]
    return list(_differing(shown, _spaced(read[first]), text))


def assert_surfaces_agree(text: str, surfaces: Mapping[str, Surface] = SURFACES) -> None:
    """Assert that every surface shows the same words bold, italic, struck, as code and as links.

    Args:
        text: Markdown; give the canonical form to test what an application publishes.
        surfaces: As in `disagreements`.

    Raises:
        AssertionError: They do not; the message names the words and what each surface shows.
        UsageError: There are fewer than two surfaces.
    """
    __tracebackhide__ = True
    found = disagreements(text, surfaces)
    if found:
        places = [f"  {each}" for each in found[:_SHOWN_PLACES]]
        more = [f"  … and {len(found) - _SHOWN_PLACES} more"] if len(found) > _SHOWN_PLACES else []
        advice = "publish the canonical form (canonicalize_markdown), which settles what can be settled"
        count = counted(len(found), "place")
        raise AssertionError("\n".join([f"surfaces disagree in {count}", *places, *more, advice]))


def _looks(runs: Iterable[Run]) -> list[tuple[Styles, str]]:
    """Return the letters that `_letters` does in as few pieces as possible, which are sooner compared."""
    lettered = ((run.styles, "".join(filter(str.isalnum, run.text))) for run in runs)
    pieces = groupby(filter(itemgetter(1), lettered), key=itemgetter(0))
    return [(styles, "".join(letters for _, letters in group)) for styles, group in pieces]


def _letters(runs: Iterable[Run]) -> list[Run]:
    return [Run(letter, run.styles, left=run.left) for run in runs for letter in run.text if letter.isalnum()]


def _spaced(runs: Iterable[Run]) -> list[str]:
    """Return the letters that `_letters` does, each with a space in front if it begins a word."""
    letters, gap = list[str](), ""
    for char in chain.from_iterable(run.text for run in runs):
        if char.isalnum():
            letters.append(gap + char)
            gap = ""
        elif char.isspace():
            gap = " "
    return letters


def _fault(text: str) -> str:
    as_github_reads = [run.text for run in _letters(read_html(github(text)))]
    return SURFACE if as_github_reads == [run.text for run in _as_written(text)] else PARSERS


def _as_written(text: str) -> list[Run]:
    runs = [run for line in read_lines(text) for run in (Run(line.marker), *line.runs, Run("\n"))]
    return _letters(with_links_under_words(runs))


def _differing(shown: Mapping[str, list[Run]], spaced: list[str], text: str) -> Iterator[Disagreement]:
    columns = list(zip(*shown.values(), strict=True))
    # Surfaces of one's own may all show letters that the text has not.
    readings = chain(
        zip(_as_written(text), _letters(read_html(github(text))), strict=False), repeat((Run(""), Run("")))
    )
    letters = (
        _Letter(*each, *reading) for each, reading in zip(zip(spaced, columns, strict=True), readings, strict=False)
    )
    for (looks, reason), group in groupby(letters, key=lambda letter: (letter.looks, letter.reason)):
        words = "".join(letter.spaced for letter in group).strip()
        if len(set(looks)) > 1:
            yield Disagreement(words, dict(zip(shown, looks, strict=True)), reason)


@dataclass(frozen=True, slots=True)
class _Letter:
    """A letter as the surfaces show it, and as the two parsers read it."""

    spaced: str
    """With a space in front if it begins a word."""
    shown: tuple[Run, ...]
    ours: Run
    on_github: Run

    @property
    def looks(self) -> tuple[Styles, ...]:
        return tuple(run.styles for run in self.shown)

    @property
    def reason(self) -> str:
        if self.ours.left and len({styles - {Style.BOLD, Style.ITALIC} for styles in self.looks}) == 1:
            return self.ours.left
        return SURFACE if self.ours.styles == self.on_github.styles else PARSERS


def _first_difference(*letters: list[str]) -> str:
    pairs = enumerate(zip(*letters, strict=False))
    same = next((at for at, (one, other) in pairs if one.strip() != other.strip()), min(map(len, letters)))
    return " / ".join("".join(spaced[same : same + 20]).strip() for spaced in letters)
