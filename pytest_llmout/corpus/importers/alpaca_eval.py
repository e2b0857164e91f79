"""AlpacaEval `model_outputs.json`: instructions, outputs and the generator that wrote them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_llmout.corpus.importers.fields import at, has, messages_of, model_of, word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_llmout.corpus.importers.importer import Draft, Skipped
    from pytest_llmout.corpus.importers.source import Fields, Peek, Source


def detect(peek: Peek) -> bool:
    """Return whether the first entry is an instruction with an output and its generator."""
    return has(peek.first, "instruction", "output", "generator")


def read(source: Source) -> Iterator[Draft | Skipped]:
    """Yield a reply for each output."""
    return source.mapped(_replies)


def _replies(entry: Any) -> Iterator[Fields]:  # noqa: ANN401  JSON
    yield {
        "messages": messages_of(at(entry, "instruction")),
        "model": model_of(at(entry, "generator")),
        "family": word(at(entry, "dataset")),
        "raw": at(entry, "output"),
        "fidelity": "likely",
    }
