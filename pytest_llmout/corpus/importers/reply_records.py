"""Reply records: the format of this program itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_llmout.corpus.importers.fields import OTHER_SHAPE, has

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_llmout.corpus.importers.importer import Draft, Skipped
    from pytest_llmout.corpus.importers.source import Fields, Peek, Source


def detect(peek: Peek) -> bool:
    """Return whether the first line is a reply record."""
    return has(peek.first, "id", "prompt_id", "model", "raw")


def read(source: Source) -> Iterator[Draft | Skipped]:
    """Yield every record as it is."""
    return source.mapped(_replies)


def _replies(line: Any) -> Iterator[Fields | str]:  # noqa: ANN401  JSON
    yield line if has(line, "raw") else OTHER_SHAPE
