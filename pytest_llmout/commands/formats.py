"""List the formats that `llmout import` reads, those of installed plugins among them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_llmout.corpus.importers.importer import formats

if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare no arguments."""


def run(arguments: argparse.Namespace) -> int:  # noqa: ARG001  every command takes them
    """Print a line for each format."""
    known = formats()
    width = max(map(len, known))
    for name, text in known.items():
        print(f"{name:<{width}}  {text}")
    return 0
