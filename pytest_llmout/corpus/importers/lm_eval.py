"""lm-evaluation-harness `samples_*.jsonl`, written with --log_samples."""

from __future__ import annotations

import json
import re
from functools import partial
from typing import TYPE_CHECKING, Any

from pytest_llmout.corpus.importers.fields import NO_REPLY, at, first, has, messages_of, model_of, moment, parsed, word
from pytest_llmout.corpus.importers.json_stream import LARGEST

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_llmout.corpus.importers.importer import Draft, Skipped
    from pytest_llmout.corpus.importers.source import Fields, Peek, Source

_NAME = re.compile(
    r"samples_(?P<task>.+?)_(?P<day>\d{4}-\d\d-\d\dT)(?P<time>\d\d-\d\d-\d\d)(?P<fraction>\.\d+)?\.jsonl"
)


def detect(peek: Peek) -> bool:
    """Return whether the first line is a logged sample."""
    return has(peek.first, "doc_id", "resps")


def read(source: Source) -> Iterator[Draft | Skipped]:
    """Yield a reply for each response that is text; tasks that score log-likelihoods have none."""
    return source.mapped(partial(_replies, shared=_of_file(source.path)))


def _of_file(path: Path) -> Fields:
    named = _NAME.fullmatch(path.name.removesuffix(".gz"))
    if named is None:
        return {"model": _of_folder(path)}
    stamp = f"{named['day']}{named['time']}{named['fraction'] or ''}"
    return {
        "model": _of_results(path.with_name(f"results_{stamp}.json")) or _of_folder(path),
        "family": named["task"],
        "time": moment(f"{named['day']}{named['time'].replace('-', ':')}{named['fraction'] or ''}"),
    }


def _of_results(path: Path) -> Fields | None:
    # The harness writes no model into a sample, but into the results beside it.
    try:
        with path.open("rb") as file:
            results = json.loads(file.read(LARGEST))
    except (OSError, ValueError, RecursionError):
        return None
    return model_of(at(results, "model_name"), provider=at(results, "model_source"))


def _of_folder(path: Path) -> Fields | None:
    # The folder is named after the model, with `/` as two underscores.
    name = path.absolute().parent.name
    return model_of(name.replace("__", "/")) if "__" in name else None


def _replies(sample: Any, *, shared: Fields) -> Iterator[Fields | str]:  # noqa: ANN401  JSON
    number = word(at(sample, "doc_id"))
    requests = at(sample, "resps")
    found = False
    for place, texts in enumerate(requests if isinstance(requests, list) else []):
        prompt, settings = _request(at(sample, "arguments"), place)
        # What asks for a likelihood has no settings; its number is stored as a text.
        for text in _texts(texts) if isinstance(settings, dict) else ():
            found = True
            yield {
                **shared,
                "prompt_id": number and "/".join(filter(None, [shared.get("family"), number])),
                "messages": messages_of(prompt),
                "parameters": settings,
                "raw": text,
                "fidelity": "likely",
            }
    if not found:
        yield NO_REPLY


def _request(arguments: Any, place: int) -> tuple[Any, Any]:  # noqa: ANN401  JSON
    """Return the prompt and the settings of one request; a conversation is JSON in a string, alone in a list."""
    asked = first(arguments, f"gen_args_{place}") or at(arguments, place)
    prompt = first(asked, "arg_0") or at(asked, 0)
    alone = prompt[0] if isinstance(prompt, list) and len(prompt) == 1 else prompt
    return parsed(alone), first(asked, "arg_1") or at(asked, 1)


def _texts(request: Any) -> list[str]:  # noqa: ANN401  JSON
    return [part for part in request if isinstance(part, str)] if isinstance(request, list) else []
