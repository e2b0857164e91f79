"""Tables on disk: the suffix chooses the format; nothing in them is a formula or invalid JSON."""

from __future__ import annotations

import csv
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING

from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    import pandas as pd

_FORMULA = r"^(?=[=+\-@\t\r])"


def csv_text(frame: pd.DataFrame, *, header: bool = True) -> str:
    """Return a table as CSV; a text that a spreadsheet would run as a formula gets an apostrophe in front."""
    texts = frame.select_dtypes(include=["object", "string"])
    inert = {str(name): texts[name].str.replace(_FORMULA, "'", regex=True) for name in texts}
    return frame.assign(**inert).to_csv(index=False, header=header, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)


def json_lines(frame: pd.DataFrame) -> str:
    """Return a table as one JSON object a line, ASCII only; a missing value is null."""
    return frame.to_json(orient="records", lines=True)


def written(frames: Iterable[pd.DataFrame], path: Path) -> Iterator[pd.DataFrame]:
    """Pass a stream of tables on while writing them to one file, which appears when the stream has ended.

    Raises:
        UsageError: The suffix is none of `.csv`, `.json`, `.jsonl` and `.parquet`, or the file cannot be written.
    """
    check_table(path)
    writer = _WRITERS[path.suffix]
    part = path.with_name(f".{path.name}.part")
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            yield from writer(frames, part)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)


def check_table(path: Path) -> None:
    """Refuse a file whose suffix names no format of tables.

    Raises:
        UsageError: The suffix is none of `.csv`, `.json`, `.jsonl` and `.parquet`.
    """
    if path.suffix not in _WRITERS:
        raise UsageError(f"{path}: cannot write {path.suffix or 'a file without a suffix'}: use {', '.join(_WRITERS)}")


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Say of a file or folder that it cannot be written.

    Raises:
        UsageError: The operating system refused.
    """
    try:
        yield
    except OSError as error:
        raise UsageError(f"{path}: cannot be written: {error.strerror}") from error


def _write_csv(frames: Iterable[pd.DataFrame], part: Path) -> Iterator[pd.DataFrame]:
    yield from _write_text(frames, part, lambda frame, first: csv_text(frame, header=first))


def _write_jsonl(frames: Iterable[pd.DataFrame], part: Path) -> Iterator[pd.DataFrame]:
    yield from _write_text(frames, part, lambda frame, _: json_lines(frame))


def _write_json(frames: Iterable[pd.DataFrame], part: Path) -> Iterator[pd.DataFrame]:
    def rows(frame: pd.DataFrame, first: bool) -> str:  # noqa: FBT001  the shape `_write_text` calls
        return ("[\n" if first else ",\n") + json_lines(frame).rstrip("\n").replace("\n", ",\n")

    yield from _write_text(frames, part, rows, end="\n]\n")


def _write_text(
    frames: Iterable[pd.DataFrame], part: Path, text: Callable[[pd.DataFrame, bool], str], *, end: str = ""
) -> Iterator[pd.DataFrame]:
    first = True
    with part.open("w", encoding="utf-8", errors="backslashreplace", newline="") as file:
        for frame in frames:
            file.write(text(frame, first))
            first = False
            yield frame
        file.write(end)


def _write_parquet(frames: Iterable[pd.DataFrame], part: Path) -> Iterator[pd.DataFrame]:
    try:
        module = import_module("pytest_llmout.dialect.parquet")
    except ModuleNotFoundError as error:
        raise UsageError(f"Parquet needs the package {error.name}: pip install 'pytest-llmout[scale]'") from error
    yield from module.write_parquet(frames, part)


_WRITERS = {".csv": _write_csv, ".json": _write_json, ".jsonl": _write_jsonl, ".parquet": _write_parquet}
