"""ShareGPT conversations (lossy: their text was rendered to HTML and written back)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pytest_llmout.corpus.importers.fields import NO_REPLY, at, model_of, objects, text_of, word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_llmout.corpus.importers.importer import Draft, Skipped
    from pytest_llmout.corpus.importers.source import Fields, Peek, Source

_USERS = {"human": "user", "user": "user", "system": "system", "tool": "tool"}
_MODELS = ("gpt", "chatgpt", "assistant", "bing", "bard", "claude")


def detect(peek: Peek) -> bool:
    """Return whether the first entry holds turns of a `from` and a `value`."""
    return at(peek.first, "conversations", 0, "from") is not None


def read(source: Source) -> Iterator[Draft | Skipped]:
    """Yield a reply for each turn of the model, behind the turns before it."""
    return source.mapped(_replies)


def _replies(entry: Any) -> Iterator[Fields | str]:  # noqa: ANN401  JSON
    so_far: list[dict[str, str]] = []
    model = model_of(at(entry, "model"))
    found = False
    for number, turn in enumerate(objects(at(entry, "conversations"))):
        speaker, text = word(turn.get("from")) or "", text_of(turn.get("value"))
        if speaker in _MODELS:
            found = True
            name = word(at(entry, "id"))
            yield {
                "prompt_id": None if name is None else f"{name}/{number}",
                "messages": list(so_far),
                "model": model,
                "raw": text,
                "fidelity": "lossy",
            }
        so_far.append({"role": _USERS.get(speaker, "assistant"), "content": text or ""})
    if not found:
        yield NO_REPLY
