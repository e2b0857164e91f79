"""Projecting to a surface takes time in proportion to the reply, whatever it holds; the table is printed (`-s`)."""

from __future__ import annotations

from time import process_time

import pytest
from hostile_replies import HOSTILE

from pytest_llmout.boundary.surfaces.agreement import SURFACES, Surface

UNITS = {
    "emphasis": "*a* ",
    "closed-nowhere": "*a ",
    "quotes": "> ",
    "bullets": "- ",
    "brackets": "[",
    "images": "![",
    "tags": "<b>",
    "blocks-of-tags": "<div>\n",
    "links": "[a](https://b.test) ",
    "code": "`a` ",
    "bare-urls": "http://a.b/*c* ",
    "spaces-in-bold": "**a" + " " * 5_000 + "b**\n",
    "mentions": "<!channel> ",
}
SMALL, GROWTH = 30_000, 8
BAR = 32
"""Eight times the text costs about 8 times the time, or 64 times if the time grew by the square."""


def seconds(surface: Surface, text: str) -> float:
    def once() -> float:
        start = process_time()
        surface.show(text)
        return process_time() - start

    return min(once() for _ in range(3))


@pytest.mark.parametrize("surface", SURFACES)
def test_linear(surface: str) -> None:
    for name, unit in UNITS.items():
        small = unit * (SMALL // len(unit))
        least = seconds(SURFACES[surface], small)
        ratio = seconds(SURFACES[surface], small * GROWTH) / max(least, 0.001)
        print(f"{surface:<8} {name:<16} {least:8.4f} s for {SMALL:,} characters, {ratio:5.1f} x for {GROWTH} x")
        assert ratio < BAR


@pytest.mark.parametrize("surface", SURFACES)
def test_a_hostile_reply_of_10_mb(surface: str) -> None:
    blocks = "\n\n".join(HOSTILE.values()) + "\n\n" + "Words of a reply, as they are. " * 200 + "\n\n"
    text = blocks * (10_000_000 // len(blocks))
    start = process_time()
    shown = SURFACES[surface].show(text)
    print(f"{surface:<8} {len(text):,} characters in {process_time() - start:.1f} s")
    assert len(shown) > len(text) // 2
    if surface == "slack":
        assert "<!" not in shown
        assert "<@" not in shown
    elif surface == "page":
        assert "<script" not in shown
