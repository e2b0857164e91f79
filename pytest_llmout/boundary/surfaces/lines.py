"""Canonical text as lines of runs: what a surface of plain lines writes down in its own way."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING

import pyromark

from pytest_llmout.boundary.surfaces.inert import DIALECT, inert, without_steering
from pytest_llmout.boundary.surfaces.styles import Run, Style, is_absolute
from pytest_llmout.outputs.bare_urls import bare_urls
from pytest_llmout.outputs.markdown_tree import covers, read_tree

if TYPE_CHECKING:
    from pyromark.event import Event

    from pytest_llmout.outputs.markdown_tree import Span

_STYLES = {"Emphasis": Style.ITALIC, "Strong": Style.BOLD, "Strikethrough": Style.STRUCK}
_CELL_BORDER = Run(" | ")


class Kind(Enum):
    """What a line is part of."""

    TEXT = auto()
    CODE = auto()
    RULE = auto()
    BLANK = auto()


@dataclass(slots=True)
class Line:
    """One line of a surface."""

    kind: Kind
    runs: list[Run] = field(default_factory=list)
    marker: str = ""
    """What opens a list item on this line: `•`, `2.`, and a box for a task."""
    depth: int = 0
    """How many lists the line is inside of."""
    quoted: bool = False


def read_lines(text: str, *, asterisk: Style = Style.ITALIC) -> list[Line]:
    """Parse a text and lay it out in lines.

    Args:
        text: Canonical Markdown. Raw HTML in it is shown as text.
        asterisk: How a `*` emphasis outside a strong reads. Inside one it is italic: bold it is already.
    """
    text = inert(text)
    reader = _Reader(text.encode(), asterisk)
    reader.urls = bare_urls(text, dialect=DIALECT)
    reader.lone = set(read_tree(text, DIALECT).lone)
    for event, place in pyromark.events_with_range(text, options=DIALECT, merge_text=True):
        reader.read(event, (place["start"], place["end"]))
    reader.end_line()
    while reader.lines and reader.lines[-1].kind is Kind.BLANK:
        reader.lines.pop()
    return reader.lines


@dataclass(slots=True)
class _Reader:
    data: bytes
    asterisk: Style
    urls: list[Span] = field(default_factory=list)
    lone: set[Span] = field(default_factory=set)
    """The emphasis and strong nodes that are neither inside nor around another."""
    left: list[str] = field(default_factory=list)
    """For each open `*` emphasis, why it may have been left as written."""
    lines: list[Line] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)
    styles: list[Style] = field(default_factory=list)
    counts: Counter[Style] = field(default_factory=Counter)
    """How many of the open styles are which: there may be a hundred thousand of them."""
    addresses: list[str] = field(default_factory=list)
    numbers: list[int | None] = field(default_factory=list)
    """For each open list, the number of its next item; `None` for bullets."""
    marker: str = ""
    quotes: int = 0
    is_code: bool = False
    images: int = 0
    """How many images it is inside of; a description has no looks."""

    def read(self, event: Event, span: Span) -> None:
        match event:
            case {"Text": str(words)}:
                self.write(words)
            case {"Code": str(words)}:
                self.write(words, *([] if self.images else [Style.CODE]))
            case "SoftBreak" | "HardBreak":
                self.end_line()
            case "Rule":
                self.lines.append(Line(Kind.RULE, quoted=self.quotes > 0))
                self.end_block()
            case {"TaskListMarker": bool(done)}:
                self.marker += "☑" if done else "☐"
            case {"Start": dict(tag)}:
                (name, attributes), *_ = tag.items()
                self.start(name, attributes, span)
            case {"Start": str(name)}:
                self.start(name, None, span)
            case {"End": dict(tag)}:
                self.end(next(iter(tag)), span)
            case {"End": str(name)}:
                self.end(name, span)

    def start(self, name: str, attributes: object, span: Span) -> None:
        match name, attributes:
            case (("Emphasis" | "Strong" | "Strikethrough"), _):
                if not self.images:
                    self.start_style(name, span)
            case (("Link" | "Image"), {"dest_url": str(address)}):
                around = self.addresses[-1] if self.addresses else ""
                is_link = name == "Link" and not self.images and is_absolute(address)
                self.addresses.append(address if is_link else around)
                self.images += name == "Image"
            case (("Heading" | "TableHead"), _):
                self.end_line()
                self.push(Style.BOLD)
            case "List", _:
                self.end_line()
                self.numbers.append(attributes if isinstance(attributes, int) else None)
            case "Item", _:
                self.start_item()
            case "CodeBlock", _:
                self.end_line()
                self.is_code = True
            case "BlockQuote", _:
                self.end_line()
                self.quotes += 1
            case "TableCell", _ if self.runs:
                self.runs.append(_CELL_BORDER)

    def end(self, name: str, span: Span) -> None:
        match name:
            case "Emphasis" | "Strong" | "Strikethrough":
                if not self.images:
                    self.end_style(name, span)
                return
            case "Link" | "Image":
                self.addresses.pop()
                self.images -= name == "Image"
                return
            case "TableCell":
                return
        self.end_line()
        match name:
            case "Heading" | "TableHead":
                self.pop()
            case "List":
                self.numbers.pop()
            case "CodeBlock":
                self.is_code = False
            case "BlockQuote":
                self.quotes -= 1
        if not self.numbers and name not in ("TableHead", "TableRow", "Item"):
            self.end_block()

    def end_block(self) -> None:
        if self.lines and self.lines[-1].kind is not Kind.BLANK:
            self.lines.append(Line(Kind.BLANK, quoted=self.quotes > 0))

    def start_style(self, name: str, span: Span) -> None:
        if self.is_part_of_url(span):
            self.write(self.delimiter(name, span))
            return
        is_asterisk = name == "Emphasis" and self.data.startswith(b"*", span[0])
        if is_asterisk:
            self.left.append("not provable" if span in self.lone else "nested")
        inside_bold = self.counts[Style.BOLD] > 0
        self.push(self.asterisk if is_asterisk and not inside_bold else _STYLES[name])

    def end_style(self, name: str, span: Span) -> None:
        if self.is_part_of_url(span):
            self.write(self.delimiter(name, span))
        else:
            self.pop()
            if name == "Emphasis" and self.data.startswith(b"*", span[0]):
                self.left.pop()

    def push(self, style: Style) -> None:
        self.styles.append(style)
        self.counts[style] += 1

    def pop(self) -> None:
        self.counts[self.styles.pop()] -= 1

    def is_part_of_url(self, span: Span) -> bool:
        """Whether a delimiter of the node is within a bare address, which other parsers read as one word."""
        return covers(self.urls, span[0]) or covers(self.urls, span[1] - 1)

    def delimiter(self, name: str, span: Span) -> str:
        size = 2 if name == "Strong" or self.data.startswith(b"~~", span[0]) else 1
        return self.data[span[0] : span[0] + size].decode()

    def start_item(self) -> None:
        self.end_line()
        number = self.numbers[-1]
        self.marker = "•" if number is None else f"{number}."
        if number is not None:
            self.numbers[-1] = number + 1

    def write(self, words: str, *more: Style) -> None:
        first, *others = words.split("\n")
        self.add(first, *more)
        for line in others:
            self.end_line(even_empty=self.is_code)
            self.add(line, *more)

    def add(self, words: str, *more: Style) -> None:
        address = self.addresses[-1] if self.addresses else ""
        linked = [Style.LINKED] if address else []
        if words:
            styles = frozenset([*(+self.counts), *more, *linked])
            self.runs.append(Run(without_steering(words), styles, address, *self.left[:1]))

    def end_line(self, *, even_empty: bool = False) -> None:
        if self.runs or self.marker or even_empty:
            kind = Kind.CODE if self.is_code else Kind.TEXT
            self.lines.append(Line(kind, self.runs, self.marker, len(self.numbers), self.quotes > 0))
        self.runs, self.marker = [], ""
