"""Refusing an output at the start that could not be written at the end."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path


def check_output(path: Path, *, folder: bool = False) -> None:
    """Refuse a place where nothing can be written; folders that are missing will be made.

    Args:
        path: The output.
        folder: Whether it is a folder for several files.

    Raises:
        UsageError: A folder stands where the file should, or the reverse, or its folder is closed.
    """
    if path.is_dir() and not folder:
        raise UsageError(f"{path}: cannot be written: Is a directory")
    places = (path, *path.absolute().parents) if folder else path.absolute().parents
    place = next(place for place in places if place.exists())
    if not place.is_dir():
        raise UsageError(f"{path}: cannot be written: {place} is not a folder")
    if not os.access(place, os.W_OK | os.X_OK):
        raise UsageError(f"{path}: cannot be written: {place} is closed to you")
