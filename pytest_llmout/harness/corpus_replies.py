"""The replies that a corpus-driven test is run on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_llmout.corpus.store import read_records, shipped_corpus
from pytest_llmout.errors import UsageError
from pytest_llmout.lookup import candidates

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pytest_llmout.corpus.record import ReplyRecord

_OPTIONS = {"model", "family", "limit"}


def marked_replies(arguments: Sequence[object], options: Mapping[str, Any], folder: Path) -> list[ReplyRecord]:
    """Read the replies that the arguments of a marker name; see `corpus_replies`.

    Raises:
        UsageError: The marker has other arguments.
    """
    match arguments:
        case [] if options.keys() <= _OPTIONS:
            return corpus_replies(None, folder, **options)
        case [str(where)] if options.keys() <= _OPTIONS:
            return corpus_replies(where, folder, **options)
    given = ", ".join([*map(repr, arguments), *options])
    raise UsageError(f"the marker takes one path or glob, and model, family and limit by name, not {given}")


def corpus_replies(
    where: str | None,
    folder: Path,
    *,
    model: str | None = None,
    family: str | None = None,
    limit: int | None = None,
) -> list[ReplyRecord]:
    """Read the replies that a test is run on.

    Args:
        where: A file, a folder or a glob, relative to `folder`; the corpus that ships with this package if None.
        folder: The folder of the test module.
        model: Only replies of this model.
        family: Only replies to this family of prompts.
        limit: At most so many.

    Raises:
        UsageError: Nothing matches; the message lists the models or families there are.
    """
    records = [record for path in _paths(where, folder) for record in read_records(path)]
    records = _only("model", model, records, lambda record: record.model.name)
    records = _only("family", family, records, lambda record: record.family or "")
    return records[:limit]


def _paths(where: str | None, folder: Path) -> list[Path]:
    if where is None:
        return [shipped_corpus()]
    path = folder / where
    if path.exists():
        return [path]
    found = sorted(Path(path.anchor).glob(str(path.relative_to(path.anchor))))
    if not found:
        raise UsageError(f"{path}: no such file or folder, and no file that this pattern matches")
    return found


def _only(
    what: str, wanted: str | None, records: list[ReplyRecord], value_of: Callable[[ReplyRecord], str]
) -> list[ReplyRecord]:
    if wanted is None:
        return records
    kept = [record for record in records if value_of(record) == wanted]
    if not kept:
        known = candidates(wanted, filter(None, map(value_of, records)))
        raise UsageError(f"no reply has the {what} {wanted!r}{known}")
    return kept
