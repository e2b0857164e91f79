"""Read back what HTML shows."""

from __future__ import annotations

from collections import Counter
from html.parser import HTMLParser

from pytest_llmout.boundary.surfaces.styles import PLAIN, Run, Style, is_absolute, with_links_under_words

_SHOWN = {
    **dict.fromkeys(("strong", "b", "th", "h1", "h2", "h3", "h4", "h5", "h6"), Style.BOLD),
    **dict.fromkeys(("em", "i"), Style.ITALIC),
    **dict.fromkeys(("del", "s"), Style.STRUCK),
    **dict.fromkeys(("code", "pre"), Style.CODE),
}
_UNSEEN = {"title", "style", "script"}
_VOID = {"img", "br", "hr", "input", "meta"}


def read_html(html: str) -> list[Run]:
    """Return the text that HTML shows, in order, with its looks; the numbers of a list are text too."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return with_links_under_words(reader.runs)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.runs: list[Run] = []
        self.open: Counter[str] = Counter()
        self.numbers: list[int | None] = []
        self.address = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag not in _SHOWN and tag != "a":
            self.show(" ", PLAIN)
        if tag not in _VOID:
            self.open[tag] += 1
        match tag:
            case "img":
                self.handle_data(attributes.get("alt", ""))
            case "ol":
                self.numbers.append(int(attributes.get("start") or 1))
            case "ul":
                self.numbers.append(None)
            case "li":
                self.show_number()
            case "a":
                address = attributes.get("href", "")
                self.address = address if is_absolute(address) else ""

    def handle_endtag(self, tag: str) -> None:
        if self.open[tag]:
            self.open[tag] -= 1
        if tag in ("ol", "ul"):
            self.numbers.pop()
        elif tag == "a":
            self.address = ""
        if tag not in _SHOWN and tag != "a":
            self.show(" ", PLAIN)

    def handle_data(self, data: str) -> None:
        if not _UNSEEN.intersection(+self.open):
            self.show(data, frozenset(_SHOWN[tag] for tag in +self.open if tag in _SHOWN))

    def show(self, words: str, styles: frozenset[Style]) -> None:
        linked = {Style.LINKED} if self.address else PLAIN
        self.runs.append(Run(words, styles | linked, self.address))

    def show_number(self) -> None:
        number = self.numbers[-1] if self.numbers else None
        if number is not None:
            self.numbers[-1] = number + 1
            self.show(f"{number}. ", PLAIN)
