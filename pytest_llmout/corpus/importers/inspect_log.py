"""Inspect logs, `.json` and `.eval`."""

from __future__ import annotations

import json
import re
import sys
import zlib
from functools import partial
from typing import TYPE_CHECKING, Any

from pytest_llmout.corpus.importers.fields import (
    FAILED,
    NO_REPLY,
    at,
    first,
    messages_of,
    model_of,
    moment,
    objects,
    word,
)
from pytest_llmout.corpus.importers.importer import Draft, Skipped
from pytest_llmout.corpus.importers.json_stream import LARGEST
from pytest_llmout.corpus.importers.openai_reply import reply_of
from pytest_llmout.errors import UsageError

if sys.version_info >= (3, 14):
    import zipfile
else:
    try:
        from backports.zstd import zipfile  # newer logs are packed with Zstandard
    except ModuleNotFoundError:
        import zipfile  # type: ignore[no-redef]  # reads what is packed otherwise; the rest is named where it is met

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_llmout.corpus.importers.source import Fields, Peek, Source

_ATTACHMENT = re.compile("attachment://([0-9a-f]{32})")
_HEADERS = ("header.json", "_journal/start.json")


def detect(peek: Peek) -> bool:
    """Return whether it is an archive, or a document with an evaluation and its plan."""
    return peek.head.startswith(b"PK\x03\x04") or at(peek.first, "eval", "task") is not None


def read(source: Source) -> Iterator[Draft | Skipped]:
    """Yield a reply for each message that the model wrote in each sample."""
    return _read_archive(source) if source.peek().head.startswith(b"PK\x03\x04") else _read_document(source)


def _read_document(source: Source) -> Iterator[Draft | Skipped]:
    header: Any = None
    for entry in source.entries(("eval",), ("samples", "*")):
        if isinstance(entry, Skipped):
            yield entry
        elif entry.path == ("eval",):
            header = entry.value
        else:
            yield from _placed(entry.where, entry.value, header)


def _read_archive(source: Source) -> Iterator[Draft | Skipped]:
    try:
        with zipfile.ZipFile(source.path) as archive:
            names = archive.namelist()
            member = partial(_member, archive)
            headers = [at(member(name), "eval") for name in _HEADERS if name in names]
            header = next(filter(None, headers), None)
            for name in names:
                if name.startswith("samples/") and name.endswith(".json"):
                    sample = member(name)
                    yield from [sample] if isinstance(sample, Skipped) else _placed(name, sample, header)
    except zipfile.BadZipFile as error:
        raise UsageError(f"{source.title}: not a whole archive: {error}") from error


def _member(archive: zipfile.ZipFile, name: str) -> Any:  # noqa: ANN401  JSON
    """Read one file of the archive; its size is held down whatever the archive says it is."""
    try:
        with archive.open(name) as file:
            data = file.read(LARGEST + 1)
        return json.loads(data) if len(data) <= LARGEST else Skipped(name, f"a sample of more than {LARGEST} bytes")
    except NotImplementedError:
        return Skipped(name, "packed with Zstandard: pip install 'pytest-llmout[import]'")
    except (OSError, EOFError, ValueError, RuntimeError, zlib.error, zipfile.BadZipFile) as error:
        return Skipped(name, "cannot be read", str(error))


def _placed(where: str, sample: Any, header: Any) -> Iterator[Draft | Skipped]:  # noqa: ANN401  JSON
    for reply in _replies(sample, header):
        yield Skipped(where, reply) if isinstance(reply, str) else Draft(where, reply)


def _replies(sample: Any, header: Any) -> Iterator[Fields | str]:  # noqa: ANN401  JSON
    attachments = at(sample, "attachments")
    conversation = _resolved(objects(at(sample, "messages")), attachments if isinstance(attachments, dict) else {})
    places = [place for place, message in enumerate(conversation) if message.get("role") == "assistant"]
    if not places:
        yield FAILED if at(sample, "error") else NO_REPLY
        return
    name = "/".join(filter(None, [word(at(header, "task")), word(at(sample, "id"))])) or None
    epoch = at(sample, "epoch")
    for place in places:
        message = conversation[place]
        stop = word(at(sample, "output", "choices", 0, "stop_reason")) if place == places[-1] else None
        yield {
            "prompt_id": name if place == places[-1] or name is None else f"{name}/{place}",
            "sample": epoch - 1 if isinstance(epoch, int) else None,
            "family": word(at(header, "task")),
            "messages": messages_of(conversation[:place]),
            "model": model_of(message.get("model") or at(header, "model"), requested=at(header, "model")),
            "parameters": at(header, "model_generate_config"),
            "time": moment(first(sample, "completed_at", "started_at") or at(header, "created")),
            "fidelity": "exact",
            **reply_of(message, finish=stop),
        }


def _resolved(value: Any, attachments: dict[str, Any]) -> Any:  # noqa: ANN401  JSON
    """Put long texts, which a log keeps apart under their hash, back where they stood."""
    match value:
        case str():
            return _ATTACHMENT.sub(lambda found: str(attachments.get(found[1], found[0])), value)
        case list():
            return [_resolved(part, attachments) for part in value]
        case dict():
            return {key: _resolved(part, attachments) for key, part in value.items()}
        case _:
            return value
