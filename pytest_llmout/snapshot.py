"""Byte-exact snapshots of replies, as syrupy extensions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from syrupy.data import Snapshot, SnapshotCollection
from syrupy.extensions.base import AbstractSyrupyExtension
from syrupy.extensions.single_file import SingleFileSnapshotExtension

from pytest_llmout.contract import Accepted, Ok
from pytest_llmout.corpus.store import replace_file
from pytest_llmout.errors import UsageError
from pytest_llmout.harness.difference import render_difference
from pytest_llmout.harness.file_name import fitting_name, name_beginning, quoted_name, unquoted_name
from pytest_llmout.harness.visible import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from syrupy.location import PyTestLocation
    from syrupy.types import SerializableData, SerializedData, SnapshotIndex

# First, because pytest shows the first lines of an explanation and keeps the rest for -vv.
_ADVICE = "next: if the received text is right, accept it with `pytest --snapshot-update`"
_MAX_TEXTS = 20
_LINES_OF_A_TEXT = 40


class _Canonical(bytes):
    """The bytes that are compared, carrying what is kept beside them."""

    raw: bytes | None = None


class ReplySnapshotExtension(SingleFileSnapshotExtension):
    """Stores one text a file and compares it byte by byte: CRLF, a lone CR, a missing last line end.

    The text of an `Accepted` or `Ok` is its canonical form. Where that differs from what the model wrote, the reply of
    an `Accepted` is kept beside it, in `.<name>.as-written`: for the reader, never compared.
    Files are UTF-8 (a lone surrogate as its three bytes) and have ASCII names, whatever the locale.
    """

    file_extension = "canonical"

    def serialize(self, data: SerializableData, **_: object) -> bytes:
        """Return the bytes to compare.

        Raises:
            UsageError: The data is neither a text nor an outcome that holds one.
        """
        match data:
            case str():
                return _encode(data)
            case Accepted(canonical=canonical, raw=raw):
                compared = _Canonical(_encode(canonical))
                compared.raw = _encode(raw) if raw != canonical else None
                return compared
            case Ok(canonical=canonical):
                return _encode(canonical)
            case _:
                raise UsageError(
                    f"llm_snapshot compares a str, an Accepted or an Ok, not {type(data).__name__}: pass the text of it"
                )

    def diff_lines(self, serialized_data: SerializedData, snapshot_data: SerializedData) -> Iterator[str]:
        """Show where the received text leaves the snapshot."""
        yield _ADVICE
        yield from _difference(_decode(snapshot_data), _decode(serialized_data))

    @classmethod
    def get_snapshot_name(cls, *, test_location: PyTestLocation, index: SnapshotIndex = 0) -> str:
        """Return the name of the test with the index, cut if it is too long for a file name."""
        return fitting_name(AbstractSyrupyExtension.get_snapshot_name(test_location=test_location, index=index))

    @classmethod
    def get_file_basename(cls, *, test_location: PyTestLocation, index: SnapshotIndex) -> str:
        """Return the percent-encoded snapshot name."""
        return quoted_name(cls.get_snapshot_name(test_location=test_location, index=index))

    @classmethod
    def matches_test_location(cls, *, test_location: PyTestLocation, snapshot_location: str) -> bool:
        """Tell whether a file can hold a snapshot of a test."""
        if test_location.basename != Path(snapshot_location).parent.name:
            return False
        if not test_location.matches_snapshot_site(snapshot_location):
            return False
        own, name = test_location.snapshot_name, cls._name_at(snapshot_location)
        return not test_location.is_item_parametrized or name.startswith((own, f"{name_beginning(own)}~"))

    def read_snapshot_collection(self, *, snapshot_location: str) -> SnapshotCollection:
        """Return the one snapshot of a file, by name."""
        collection = SnapshotCollection(location=snapshot_location)
        collection.add(Snapshot(name=self._name_at(snapshot_location)))
        return collection

    @classmethod
    def write_snapshot_collection(
        cls, *, snapshot_collection: SnapshotCollection, name_order: dict[str, int] | None = None
    ) -> None:
        """Replace the file whole, and what is kept beside it."""
        del name_order  # a file holds one snapshot
        path = Path(snapshot_collection.location)
        data = next(iter(snapshot_collection)).data
        if not isinstance(data, bytes):
            raise TypeError(f"a snapshot is bytes, not {type(data).__name__}")
        replace_file(path, [data])
        if isinstance(data, _Canonical) and data.raw is not None:
            replace_file(_as_written(path), [data.raw])
        else:
            _as_written(path).unlink(missing_ok=True)

    def delete_snapshots(self, *, snapshot_location: str, snapshot_names: set[str]) -> None:
        """Delete the file and what is kept beside it."""
        super().delete_snapshots(snapshot_location=snapshot_location, snapshot_names=snapshot_names)
        _as_written(Path(snapshot_location)).unlink(missing_ok=True)

    @classmethod
    def _name_at(cls, location: str) -> str:
        return unquoted_name(Path(location).name.removesuffix(f".{cls.file_extension}"))


class ReplyTextsExtension(ReplySnapshotExtension):
    """Stores many texts in one JSONL file, each under its name: `llm_snapshot.use_extension(ReplyTextsExtension)`.

    A snapshot is a mapping of names to texts. A difference names the texts that differ.
    """

    file_extension = "texts.jsonl"

    def serialize(self, data: SerializableData, **_: object) -> bytes:
        """Return one line a text, in the order given.

        Raises:
            UsageError: The data is no mapping of names to texts.
        """
        if not isinstance(data, Mapping) or not all(isinstance(text, str) for text in data.values()):
            raise UsageError(f"ReplyTextsExtension compares a mapping of names to str, not {type(data).__name__}")
        lines = (json.dumps({"name": name, "text": text}, ensure_ascii=False) + "\n" for name, text in data.items())
        # A lone surrogate, which UTF-8 cannot hold, becomes a JSON escape.
        return "".join(lines).encode("utf-8", "backslashreplace")

    def diff_lines(self, serialized_data: SerializedData, snapshot_data: SerializedData) -> Iterator[str]:
        """Name the texts that are missing, new or different, and show the first of them."""
        yield _ADVICE
        before, after = _texts(snapshot_data), _texts(serialized_data)
        names = [name for name in {**before, **after} if before.get(name) != after.get(name)]
        yield f"{len(names)} of {len({**before, **after})} texts differ"
        for name in names[:_MAX_TEXTS]:
            yield f"{visible(name)}: {_state(name, before, after)}"
        if len(names) > _MAX_TEXTS:
            yield f"… and {len(names) - _MAX_TEXTS} more"
        for name in names[:1]:
            yield f"the first of them, {visible(name)}:"
            yield from islice(_difference(before.get(name, ""), after.get(name, "")), _LINES_OF_A_TEXT)


def _state(name: str, before: Mapping[str, str], after: Mapping[str, str]) -> str:
    if name not in before:
        return "not in the snapshot"
    return "different" if name in after else "only in the snapshot"


def _texts(data: SerializedData) -> dict[str, str]:
    lines = [json.loads(line) for line in _decode(data).split("\n") if line]
    return {line["name"]: line["text"] for line in lines}


def _difference(before: str, after: str) -> list[str]:
    return render_difference(before, after, before_label="the snapshot", after_label="received")


def _as_written(path: Path) -> Path:
    # Of the files below its folder syrupy deletes every one that it does not know, unless the name begins with a dot.
    return path.with_name(f".{path.stem}.as-written")


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _decode(data: SerializedData) -> str:
    """Return the text of a snapshot; a missing one comes as an empty `str`, a damaged one with its bytes escaped."""
    if isinstance(data, str):
        return data
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return data.decode("utf-8", "backslashreplace")
