"""What each surface shows, and that nothing in a reply acts on any."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from hostile_replies import HOSTILE
from hypothesis import given
from markdown_texts import GENERATED, corpus_texts

pytest.importorskip("cmarkgfm", reason="surfaces need the extra [surfaces]")

from pytest_llmout.boundary.surfaces.agreement import SURFACES, Surface
from pytest_llmout.boundary.surfaces.github import github
from pytest_llmout.boundary.surfaces.html_reader import read_html
from pytest_llmout.boundary.surfaces.memory import memory
from pytest_llmout.boundary.surfaces.page import page
from pytest_llmout.boundary.surfaces.slack import slack

STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
SLACK_LINK = re.compile(r"<(?:https?://|mailto:)[^<>|\s]+\|[^<>|\n]*>")
SAFE_TAGS = {
    *(
        "html",
        "head",
        "meta",
        "title",
        "body",
        "a",
        "blockquote",
        "br",
        "code",
        "del",
        "em",
        "hr",
        "img",
        "input",
        "li",
    ),
    *(
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "ol",
        "p",
        "pre",
        "strong",
        "table",
        "tbody",
        "td",
        "th",
        "thead",
        "tr",
        "ul",
    ),
}

SLACK_CASES = {
    "bold": ("**a**", "*a*"),
    "asterisk-emphasis-reads-as-bold": ("*a* b", "*a* b"),
    "italic": ("_a_", "_a_"),
    "both": ("**_a_**", "*_a_*"),
    "strike": ("~~a~~", "~a~"),
    "code": ("`a*b*`", "`a*b*`"),
    "code-with-backtick": ("`` a`b ``", "`a‵b`"),
    "bold-code": ("**`a`**", "*`a`*"),
    "inside-a-word": ("a**b**c", "a\u200b*b*\u200bc"),
    "dunder-in-code": ("`__init__`", "`__init__`"),
    "arithmetic": ("2 * 3 * 4", "2 * 3 * 4"),
    "snake-case": ("a_b_c", "a_b_c"),
    "literal-marks": (r"\*a\* \_b\_ \~c\~", "∗a∗ ＿b＿ ∼c∼"),
    "link": ("[a](https://x.test/?b=1&c=2)", "<https://x.test/?b=1&amp;c=2|a>"),
    "bold-link": ("[**a**](https://x.test)", "*<https://x.test|a>*"),
    "pipe-in-label": ("[a|b](https://x.test)", "<https://x.test|a¦b>"),
    "relative-link": ("[a](b.md)", "a"),
    "image": ("![a](https://x.test/i.png)", "a"),
    "heading": ("# a\nb", "*a*\n\nb"),
    "heading-with-bold": ("# a **b**", "*a b*"),
    "bullets": ("- a\n  - b", "•\u200b a\n    •\u200b b"),
    "numbers": ("3. a\n4. b", "3.\u200b a\n4.\u200b b"),
    "tasks": ("- [x] a\n- [ ] b", "•☑\u200b a\n•☐\u200b b"),
    "quote": ("> a", "> a"),
    "literal-quote": (r"\> a", "\u200b&gt; a"),
    "rule": ("a\n\n---", "a\n\n———"),
    "table": ("|a|b|\n|-|-|\n|1|2|", "*a* | *b*\n1 | 2"),
    "code-block": ("```py\na < b\n\nc\n```", "```\na &lt; b\n\nc\n```"),
    "fence-in-code-block": ("````\n```\n````", "```\n‵‵‵\n```"),
    "escapes": ("a & b < c > d", "a &amp; b &lt; c &gt; d"),
    "tag": ("use <b>", "use &lt;b&gt;"),
}
MEMORY_CASES = {
    "bold": ("**a** b", "⟦bold: a⟧ b"),
    "italic": ("*a* _b_", "⟦italic: a⟧ ⟦italic: b⟧"),
    "link": ("[a](https://x.test)", "⟦link to https://x.test: a⟧"),
    "brackets": ("⟦bold: a⟧", "[[bold: a]]"),
    "code-block": ("```\na\n```", "⟦code:\na\n⟧"),
    "list": ("1. a\n   - b", "1. a\n    • b"),
}
each_surface = pytest.mark.parametrize("surface", SURFACES.values(), ids=SURFACES)
each_hostile = pytest.mark.parametrize("raw", HOSTILE.values(), ids=HOSTILE)


class Tags(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str]] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(name, value or "") for name, value in attrs]


def inert_in_slack(text: str) -> None:
    shown = SLACK_LINK.sub("", slack(text))
    assert "<" not in shown
    assert not re.sub(r"(?m)^> ", "", shown).count(">")
    assert not re.findall(r"&(?!amp;|lt;|gt;)", shown)


def inert_as_html(html: str) -> None:
    found = Tags(html)
    assert found.tags <= SAFE_TAGS
    for name, value in found.attributes:
        assert not name.startswith(("on", "style", "srcdoc"))
        if name in ("href", "src"):
            assert not re.match(r"\s*(?:javascript|vbscript|data)\s*:", value, re.IGNORECASE)


def inert_everywhere(text: str) -> None:
    inert_in_slack(text)
    inert_as_html(github(text))
    inert_as_html(page(text))
    for surface in SURFACES.values():
        assert not STEERING.search(surface.show(text))


@pytest.mark.parametrize(("text", "expected"), SLACK_CASES.values(), ids=SLACK_CASES)
def test_slack(text: str, expected: str) -> None:
    assert slack(text) == expected


@pytest.mark.parametrize(("text", "expected"), MEMORY_CASES.values(), ids=MEMORY_CASES)
def test_memory(text: str, expected: str) -> None:
    assert memory(text) == expected


@each_hostile
def test_hostile_replies_are_inert(raw: str) -> None:
    inert_everywhere(raw)


@pytest.mark.parametrize("kind", GENERATED)
def test_generated_replies_are_inert(kind: str) -> None:
    @given(text=GENERATED[kind])
    def hold(text: str) -> None:
        inert_everywhere(text)

    hold()


def test_the_corpus_is_inert() -> None:
    for raw in corpus_texts()[::5]:
        inert_everywhere(raw)


@each_surface
def test_raw_html_is_shown_as_it_is_written(surface: Surface) -> None:
    shown = "".join(run.text for run in surface.read(surface.show("Use <b>, not <script>.\n\n<div>\n  *x*\n</div>")))
    assert "Use <b>, not <script>." in shown
    assert re.search(r"<div>\s+\*x\*\s+</div>|<div>\s+∗x∗\s+</div>", shown)


@each_surface
def test_a_long_reply_of_hostile_words(surface: Surface) -> None:
    raw = "<!channel> **a** [x](javascript:y) <script>\x1b\n" * 2_000
    shown = surface.show(raw)
    assert not STEERING.search(shown)


@pytest.mark.parametrize("unit", ["> ", "- ", "*a **a "])
def test_a_page_nested_past_all_use_shows_the_text_as_written(unit: str) -> None:
    raw = unit * 3_000 + "x<b>" + "a** a*" * 3_000
    html = page(raw)
    inert_as_html(html)
    assert len(html) < 10 * len(raw)


def test_a_page_keeps_descriptions_of_images_and_fetches_none() -> None:
    html = page("![a *chart*](https://x.test/i.png)")
    assert 'alt="a chart"' in html
    assert "x.test" not in html


def test_page_and_github_show_the_same() -> None:
    for raw in corpus_texts()[::5]:
        shown = [
            [(run.text, run.styles) for run in read_html(show(raw)) if run.text.strip()] for show in (github, page)
        ]
        assert shown[0] == shown[1]
