"""lm-evaluation-harness `samples_*.jsonl`, written with --log_samples."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any

from pytest_llmout.corpus.importers.fields import NO_REPLY, at, has, messages_of, model_of, moment, parsed, word

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
    # The harness writes no model into a sample: the folder is named after it, with `/` as two underscores.
    model = model_of(path.absolute().parent.name.replace("__", "/")) if "__" in path.absolute().parent.name else None
    named = _NAME.fullmatch(path.name.removesuffix(".gz"))
    if named is None:
        return {"model": model}
    time = f"{named['day']}{named['time'].replace('-', ':')}{named['fraction'] or ''}"
    return {"model": model, "family": named["task"], "time": moment(time)}


def _replies(sample: Any, *, shared: Fields) -> Iterator[Fields | str]:  # noqa: ANN401  JSON
    asked = at(sample, "arguments", "gen_args_0") or at(sample, "arguments", 0)
    prompt = parsed(at(asked, "arg_0") or at(asked, 0))
    settings = at(asked, "arg_1") or at(asked, 1)
    number = word(at(sample, "doc_id"))
    replies = [text for request in at(sample, "resps") or [] for text in _texts(request)]
    for text in replies:
        yield {
            **shared,
            "prompt_id": number and "/".join(filter(None, [shared.get("family"), number])),
            "messages": messages_of(prompt),
            "parameters": settings if isinstance(settings, dict) else None,
            "raw": text,
            "fidelity": "likely",
        }
    if not replies:
        yield NO_REPLY


def _texts(request: Any) -> list[str]:  # noqa: ANN401  JSON
    return [part for part in request if isinstance(part, str)] if isinstance(request, list) else []
