"""Groups of replies that may be pooled: what a comparison keys on."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING

from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pytest_llmout.corpus.record import ReplyRecord


def _model(record: ReplyRecord) -> str:
    revision = record.model.revision
    return record.model.name if revision is None else f"{record.model.name}@{revision.removeprefix('sha256:')[:12]}"


def _date(record: ReplyRecord) -> str:
    return "" if record.time is None else record.time.astimezone(UTC).date().isoformat()


KEYS: dict[str, Callable[[ReplyRecord], str]] = {
    "model": _model,
    "configuration": lambda record: record.configuration or "",
    "date": _date,
    "family": lambda record: record.family or "",
    "provider": lambda record: record.model.provider or "",
}
"""What replies can be grouped by. `model` is the one that answered, with what pins its weights; `date` is UTC."""

DEFAULT_KEYS = ("model", "configuration", "date")
"""The same model name can answer in another dialect on another day, so days are kept apart."""


def check_keys(names: Iterable[str]) -> tuple[str, ...]:
    """Return the names as a tuple if each is a key.

    Raises:
        UsageError: One is not, or there is none.
    """
    keys = tuple(names)
    unknown = [name for name in keys if name not in KEYS]
    if unknown or not keys:
        raise UsageError(f"cannot group by {', '.join(unknown) or 'nothing'}: choose from {', '.join(KEYS)}")
    return keys
