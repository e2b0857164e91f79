"""The output type of replies that choose one of a few words, alone or in prose."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from pytest_llmout.contract import Failure, FailureKind, Ok
from pytest_llmout.errors import UsageError
from pytest_llmout.outputs.one_line import excerpt, one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

_LABEL = re.compile(
    r"(?:[^\W\d_]+[ \t]+)?(?:verdict|answer|decision|choice|result|conclusion)[ \t*_]*[:=–—-]", re.IGNORECASE
)
_NEGATION = re.compile(r"\b(?:not|never|no|cannot|without|neither|nor)\b|n['’]t\b", re.IGNORECASE)
# What ends the reach of a negation.
_CLAUSE_END = re.compile(r"[.!?;:\n]")
_MARK_UP = " \t\r\f\v*_`\"'“”‘’#>()[]-.!"


class _Place(NamedTuple):
    option: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ChoiceOutput:
    """A reply that names one of `options`; made by `choice_output`."""

    name: str
    request_hint: str | None
    max_retries: int
    options: tuple[str, ...]
    pattern: re.Pattern[str]
    """Finds an option as whole words, each as a group."""
    groups: tuple[str, ...]
    """The options in the order of the groups."""

    def parse(self, raw: str) -> Ok[str] | Failure:
        """Judge one reply; see `choice_output` for what is unambiguous."""
        if not raw.strip():
            return Failure(FailureKind.SYNTAX, "(empty reply)", "empty")
        places = self._alone(raw) or [self._place(match, 0) for match in self.pattern.finditer(raw)]
        named = {place.option: place for place in places}
        match list(named.values()):
            case []:
                return self._failure(FailureKind.SYNTAX, "no_choice", f"none of them is named in `{excerpt(raw)}`")
            case [place] if not _is_negated(raw, place.start):
                return Ok(place.option, place.option, changed=False, notes=_surroundings(raw, place))
            case [place]:
                return self._failure(FailureKind.SCHEMA, "negated", f"{place.option} is named, but denied")
            case several:
                names = " and ".join(place.option for place in several)
                return self._failure(FailureKind.SCHEMA, "ambiguous", f"{names} are named")

    def retryable(self, failure: Failure) -> bool:  # noqa: ARG002  the contract asks with the failure at hand
        """Say that asking again can help."""
        return True

    def _alone(self, raw: str) -> list[_Place]:
        """Find the lines that hold nothing but an option, with or without a label."""
        places, start = [], 0
        for line in raw.split("\n"):
            left = len(line) - len(line.lstrip(_MARK_UP))
            label = _LABEL.match(line, left)
            bare = line[label.end() if label else left :].lstrip(_MARK_UP)
            begin = start + len(line) - len(bare)
            if match := self.pattern.fullmatch(bare.rstrip(_MARK_UP)):
                places.append(self._place(match, begin))
            start += len(line) + 1
        return places

    def _place(self, match: re.Match[str], offset: int) -> _Place:
        return _Place(self.groups[(match.lastindex or 1) - 1], match.start() + offset, match.end() + offset)

    def _failure(self, kind: FailureKind, reason: str, seen: str) -> Failure:
        return Failure(kind, one_line(f"expected exactly one of {', '.join(self.options)}, but {seen}"), reason)


def choice_output(
    options: Sequence[str], *, name: str = "choice", request_hint: str | None = None, max_retries: int = 2
) -> ChoiceOutput:
    """Make the output type of replies that choose one of a few options.

    An option counts where it stands as whole words, in any case and mark-up. A line that holds an option alone, or
    after a label such as `Verdict:`, is the choice whatever the rest discusses; otherwise the reply may name one option
    only, and not under a negation.

    Args:
        options: The words to choose from.
        name: The name that records and messages use.
        request_hint: The instruction for the prompt; by default it lists the options.
        max_retries: How many re-asks may follow the first reply.

    Returns:
        An output type whose value and canonical text are the option as given here. `changed` is never true. `reason` is
        `empty` or `no_choice` (`syntax`), `ambiguous` or `negated` (`schema`).

    Raises:
        UsageError: There are fewer than two options, or two that differ only in case or white space.
    """
    folded = {_folded(option) for option in options}
    if len(folded) < max(len(options), 2) or "" in folded:
        raise UsageError(f"options={list(options)!r}: give at least two, each different in more than case")
    # The longest first, so that one option may begin with another.
    longest = sorted(options, key=len, reverse=True)
    words = "|".join("(" + r"\s+".join(map(re.escape, option.split())) + ")" for option in longest)
    hint = f"Reply with exactly one of these and nothing else: {', '.join(options)}."
    return ChoiceOutput(
        name,
        hint if request_hint is None else request_hint,
        max_retries,
        tuple(options),
        re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE),
        tuple(longest),
    )


def _folded(words: str) -> str:
    return " ".join(words.split()).casefold()


def _is_negated(raw: str, start: int) -> bool:
    ends = [end.end() for end in _CLAUSE_END.finditer(raw, 0, start)]
    return _NEGATION.search(raw, ends[-1] if ends else 0, start) is not None


def _surroundings(raw: str, place: _Place) -> tuple[str, ...]:
    present = {"lead_in": re.search(r"\w", raw[: place.start]), "trailing_remark": re.search(r"\w", raw[place.end :])}
    return tuple(note for note, met in present.items() if met)
