"""The session as XML."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from pytest_llmout.harness.reports.row import Cell, row_of
from pytest_llmout.harness.visible import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pytest_llmout.harness.asked import Asked

_TEXTS = ("observed", "raw", "canonical")


def xml_report(asked: Sequence[Asked]) -> str:
    """Return a `reply` element a reply: its short columns as attributes, its texts as elements."""
    root = Element("replies")
    for reply in asked:
        row = row_of(reply)
        short = {name: _attribute(cell) for name, cell in row.items() if name not in _TEXTS and cell is not None}
        element = SubElement(root, "reply", short)
        for name in _TEXTS:
            if row[name] is not None:
                SubElement(element, name).text = printable(str(row[name]))
    indent(root)
    return tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _attribute(cell: Cell) -> str:
    return str(cell).lower() if isinstance(cell, bool) else printable(str(cell))
