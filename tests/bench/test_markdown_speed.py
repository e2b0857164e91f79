"""The speed of canonicalising Markdown, as ratios within one run; the tables are printed (`-s`).

The bars in MB/s were set where `pyromark.html` renders replies of 1.8 kB at 113 MB/s, so they scale with its speed.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from functools import partial
from importlib import import_module
from pathlib import Path
from statistics import mean, median
from typing import TYPE_CHECKING, Any

import commonmark
import pyromark
import pytest
from markdown_it import MarkdownIt
from markdown_pieces import cut, lags, streamed
from markdown_texts import corpus_texts

from pytest_llmout import canonicalize_markdown

if TYPE_CHECKING:
    from collections.abc import Callable

SHORT_ROUNDS = 100  # of milliseconds each, so that one of them meets an idle machine, as the long rounds of others do
MDAST = "mdast-util-from-markdown@2"
REPLY_SIZE = 1_800
HTML_SPEED = 113e6
PROMOTABLE_SHARE = 0.006  # of 21 733 real replies of 27 models; the corpus asks for such replies and holds far more

HOSTILE = {
    "closed-nowhere": "*a ",
    "brackets": "[",
    "quotes": "> ",
    "mixed-openers": "**a *",
    "cannot-all-hold": "*a**b* ",
    "underscores": "_*a",
    "code": "`* ",
    "images": "![*",
    "bullets": "- *a\n",
    "all-hold": "*a* ",
    "glued": "*a***b*",
    "blocks-that-fail": "*a*b*c*\n\n**b*a*\n\n",
    "held-by-a-later-one": "*a***b****a***b****c*",
    "definitions": "[*a*]: /u\n\n[*a*] ",
    "bare-urls": "http://a.b/*c *x* ",
}
PASSED_AT = {
    "bullets": ("* item, and what there is to say about it\n", 80e6),
    "products": ("An area of 2 * 3 is smaller than one of 4 * 5.\n", 80e6),
    "strong": ("This is **bold** and the rest of it is not.\n", 80e6),
    "no-asterisk": ("This is a line of prose, without any of it.\n", 1_000e6),
}


def seconds(work: Callable[[str], object], texts: list[str], rounds: int = 7) -> float:
    """Return the time of the fastest of some rounds over all texts."""
    return min(_once(work, texts) for _ in range(rounds))


def _once(work: Callable[[str], object], texts: list[str]) -> float:
    start = time.perf_counter()
    for text in texts:
        work(text)
    return time.perf_counter() - start


def _size(texts: list[str]) -> int:
    return sum(len(text.encode()) for text in texts)


def field_mix(texts: list[str]) -> list[str]:
    """Return all replies that stay as they are, and of those that change as many as replies in the field have."""
    changed = [text for text in texts if canonicalize_markdown(text) != text]
    unchanged = [text for text in texts if canonicalize_markdown(text) == text]
    return unchanged + changed[: round(len(unchanged) * PROMOTABLE_SHARE)]


@pytest.fixture(scope="session")
def mdast(tmp_path_factory: pytest.TempPathFactory) -> Callable[[list[str]], float]:
    """Run the rule on mdast-util-from-markdown over texts, for the time of its fastest round."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if not npm or not node:
        pytest.skip(f"the comparison with {MDAST} needs node and npm")
    folder = tmp_path_factory.mktemp("node")
    shutil.copy(Path(__file__).with_name("mdast_rule.mjs"), folder)
    install = subprocess.run(  # noqa: S603  a fixed command
        [npm, "install", "--no-audit", "--no-fund", MDAST], cwd=folder, capture_output=True, text=True, check=False
    )
    if install.returncode:
        pytest.skip(f"npm could not install {MDAST}: {install.stderr[-200:]}")

    def run(texts: list[str]) -> float:
        output = subprocess.check_output([node, "mdast_rule.mjs"], cwd=folder, input=json.dumps(texts).encode())  # noqa: S603  likewise
        return float(json.loads(output)["seconds"])

    return run


def other_tools() -> dict[str, Callable[[str], object]]:
    tools: dict[str, Callable[[str], object]] = {
        "pyromark.html (renders)": pyromark.html,
        "markdown-it-py (parses)": MarkdownIt("commonmark").parse,
        "commonmark (parses)": lambda text: commonmark.Parser().parse(text),
    }
    try:
        formatter: Any = import_module("mdformat")
    except ModuleNotFoundError:
        return tools
    return {**tools, "mdformat (formats)": formatter.text}


def test_a_hundred_times_the_javascript_implementation(mdast: Callable[[list[str]], float]) -> None:
    texts = corpus_texts()
    ratios = {}
    print(f"\n{'replies':<28}{'count':>7}{'ours':>12}{'mdast':>12}{'ratio':>8}")
    for name, chosen in {"as in the field": field_mix(texts), "the whole corpus": texts}.items():
        ours, theirs = seconds(canonicalize_markdown, chosen), mdast(chosen)
        ratios[name] = theirs / ours
        print(f"{name:<28}{len(chosen):>7}{ours * 1e3:>9.1f} ms{theirs * 1e3:>9.1f} ms{ratios[name]:>7.0f}×")
    assert ratios["as in the field"] >= 100
    assert ratios["the whole corpus"] >= 10


def test_comparison_with_other_tools() -> None:
    texts = corpus_texts()
    ours = seconds(canonicalize_markdown, texts)
    print(f"\n{'tool':<28}{'MB/s':>8}{'times our time':>16}")
    size = _size(texts) / 1e6
    print(f"{'canonicalize_markdown':<28}{size / ours:>8.1f}{1:>16.1f}")
    for name, work in other_tools().items():
        theirs = seconds(work, texts, rounds=2)
        print(f"{name:<28}{size / theirs:>8.1f}{theirs / ours:>16.1f}")


def test_how_far_a_stream_lags_behind() -> None:
    """In pieces of four characters, about what a model writes at a time."""
    texts = corpus_texts()
    print(f"\n{'characters held back':<28}{'median':>8}{'mean':>8}{'worst':>8}")
    for name, chosen in {"the whole corpus": texts, "replies with *": [text for text in texts if "*" in text]}.items():
        held = [lag for text in chosen for lag in lags(text, 4)]
        print(f"{name:<28}{median(held):>8.0f}{mean(held):>8.1f}{max(held):>8}")


@pytest.mark.parametrize(("line", "bar"), PASSED_AT.values(), ids=PASSED_AT)
def test_text_that_holds_no_emphasis_is_passed_fast(line: str, bar: float) -> None:
    replies = [line * (REPLY_SIZE // len(line))] * 300
    joined = "\n\n".join(corpus_texts())
    corpus = [joined[at : at + REPLY_SIZE] for at in range(0, len(joined), REPLY_SIZE)]
    rounds = [(_once(canonicalize_markdown, replies), _once(pyromark.html, corpus)) for _ in range(15)]
    ours, html = (min(times) for times in zip(*rounds, strict=True))
    speed, scale = _size(replies) / ours, _size(corpus) / html / HTML_SPEED
    print(f"\n{speed / 1e6:.0f} MB/s, bar {bar * scale / 1e6:.0f} MB/s ({bar / 1e6:.0f} where it was set)")
    assert speed >= bar * scale


@pytest.mark.parametrize(
    "make",
    [
        *(
            pytest.param(partial(lambda part, size: part * (size // len(part)), part), id=name)
            for name, part in HOSTILE.items()
        ),
        pytest.param(lambda size: "> " * (size // 10) + "*a*", id="deep-quotes"),
    ],
)
def test_time_grows_with_the_text(make: Callable[[int], str]) -> None:
    took = []
    for size in (100_000, 1_000_000):
        text = make(size)
        start = time.process_time()
        canonicalize_markdown(text)
        took.append(max(time.process_time() - start, 0.005))
    print(f"\n{took[0]:.3f} s, {took[1]:.3f} s for ten times the text")
    assert took[1] <= 20 * took[0]


@pytest.mark.parametrize(
    "line",
    [
        "* *item* with **bold** words\n",
        "*a***b* c\n\n",
        "plain words\n",
        "*open ",
        pytest.param("]**", id="strong nodes in one block"),
        pytest.param("    x = y ** 2\n", id="asterisks in code"),
    ],
)
def test_the_time_of_a_stream_grows_with_the_text(line: str) -> None:
    took = []
    for size in (20_000, 200_000):
        start = time.process_time()
        streamed(cut(line * (size // len(line)), range(8, size, 8)))
        took.append(max(time.process_time() - start, 0.005))
    print(f"\n{took[0]:.3f} s, {took[1]:.3f} s for ten times the text")
    assert took[1] <= 20 * took[0]
