"""Folders of `.md`, `.txt` and `.json` files, a reply each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_llmout.corpus.importers.importer import Draft, Skipped
from pytest_llmout.corpus.importers.json_stream import LARGEST

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_llmout.corpus.importers.source import Peek, Source

_OUTPUTS = {".md": {"type": "markdown"}, ".txt": None, ".json": {"type": "json"}}


def detect(peek: Peek) -> bool:
    """Return whether it is a folder."""
    return peek.path.is_dir()


def read(source: Source) -> Iterator[Draft | Skipped]:
    """Yield a reply for each file, in the order of their names; the path without its suffix is the prompt's id."""
    for path in sorted(source.path.rglob("*")):
        if path.is_symlink() or not path.is_dir():
            yield _reply(path, path.relative_to(source.path))


def _reply(path: Path, name: Path) -> Draft | Skipped:
    where = name.as_posix()
    if path.is_symlink() or not path.is_file():
        return Skipped(where, "a link or a device, not a file")
    if path.suffix.lower() not in _OUTPUTS:
        return Skipped(where, f"not {', '.join(_OUTPUTS)}")
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
        if len(data) > LARGEST:
            return Skipped(where, f"a file of more than {LARGEST} bytes")
        raw = data.decode()
    except OSError as error:
        return Skipped(where, "cannot be read", str(error.strerror))
    except UnicodeDecodeError as error:
        return Skipped(where, "not UTF-8 text", f"byte {error.start + 1}")
    prompt = name.with_suffix("").as_posix()
    return Draft(
        where, {"prompt_id": prompt, "raw": raw, "output": _OUTPUTS[path.suffix.lower()], "fidelity": "likely"}
    )
