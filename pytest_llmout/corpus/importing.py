"""Importing: the drafts of an importer become reply records that can be paired and told apart."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from pytest_llmout.corpus.importers.fields import NO_REPLY
from pytest_llmout.corpus.importers.importer import Draft, Skipped
from pytest_llmout.corpus.problems import dotted, first_problem
from pytest_llmout.corpus.record import ReplyRecord
from pytest_llmout.corpus.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

UNKNOWN = "unknown"
"""The name of a model that the source does not say."""


def complete(
    drafts: Iterable[Draft | Skipped],
    *,
    source: str,
    file: str,
    defaults: Mapping[str, Any] | None = None,
    on_skipped: Callable[[Skipped], None],
) -> Iterator[ReplyRecord]:
    """Turn drafts into records.

    A draft without a prompt id gets a hash of its messages, so that the same prompt has the same id in every source;
    one without messages gets its place. Without a sample number it gets the count of earlier replies of that model to
    that prompt, and an id that is missing or was met before is made unique.

    Args:
        drafts: What an importer read.
        source: The name of the program or format, for records that do not name one.
        file: The name of the file, for references into it.
        defaults: Fields for records that lack them.
        on_skipped: Called with each entry that gives no record.
    """
    with Tally() as tally:
        for draft in drafts:
            if isinstance(draft, Skipped):
                on_skipped(draft)
                continue
            if draft.fields.get("raw") is None:
                on_skipped(Skipped(draft.where, NO_REPLY))
                continue
            given = {name: value for name, value in draft.fields.items() if value is not None}
            fields = {"source": source, "source_ref": f"{file}:{draft.where}", **(defaults or {}), **given}
            try:
                yield ReplyRecord.model_validate(_identified(fields, draft.where, tally))
            except ValidationError as error:
                place, what = first_problem(error)
                on_skipped(Skipped(draft.where, "does not fit a reply record", ": ".join([*dotted(place), what])))


def _identified(fields: dict[str, Any], where: str, tally: Tally) -> dict[str, Any]:
    fields.setdefault("model", {"name": UNKNOWN})
    fields.setdefault("prompt_id", _digest(fields["messages"]) if fields.get("messages") else where)
    whose = [_name(fields["model"]), *filter(None, [fields.get("configuration")]), fields["prompt_id"]]
    names = [_storable(str(name)) for name in whose]
    fields["prompt_id"] = _storable(fields["prompt_id"])
    if "sample" not in fields:
        fields["sample"] = tally.add("sample", *names)
    wanted = _storable(str(fields.get("id") or "/".join([*names, str(fields["sample"])])))
    fields["id"] = unique = wanted
    while tally.add("id", unique):
        fields["id"] = unique = f"{wanted}#{tally.add('again', wanted) + 2}"
    return fields


def _storable(name: Any) -> Any:  # noqa: ANN401  what is no text is refused later
    # A file name that is not UTF-8, or half a character in JSON, is a lone surrogate: fine for a reply, not for an id.
    return name.encode("utf-8", "backslashreplace").decode() if isinstance(name, str) else name


def _name(model: object) -> str:
    return str(model.get("name")) if isinstance(model, dict) else str(model)


def _digest(messages: object) -> str:
    return sha256(json.dumps(messages, sort_keys=True, default=str).encode()).hexdigest()[:16]
