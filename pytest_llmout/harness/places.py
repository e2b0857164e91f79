"""Where recordings stand: `__recordings__/<module>/<test>.jsonl` beside the test module."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_llmout.harness.file_name import fitting_name, quoted_name, unquoted_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

FOLDER = "__recordings__"


def recording_path(module: Path, test: str) -> Path:
    """Return the file of a test.

    Args:
        module: The test module.
        test: The names of classes, test and parameters, joined by dots.
    """
    return module.parent / FOLDER / module.stem / f"{quoted_name(fitting_name(test))}.jsonl"


def recordings_without_test(module: Path, tests: Iterable[str]) -> Iterator[Path]:
    """Find the recordings of a module that belong to none of its tests."""
    known = {fitting_name(test) for test in tests}
    for file in sorted((module.parent / FOLDER / module.stem).glob("*.jsonl")):
        if unquoted_name(file.name.removesuffix(".jsonl")) not in known:
            yield file


def recordings_without_module(folder: Path) -> Iterator[Path]:
    """Find the recordings in a folder of tests whose module is gone."""
    for modules in sorted((folder / FOLDER).glob("*/")):
        if not (folder / f"{modules.name}.py").exists():
            yield from sorted(modules.glob("*.jsonl"))
