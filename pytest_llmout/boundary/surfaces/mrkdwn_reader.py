"""Read back what Slack shows of mrkdwn.

A mark opens at the border of a word and before no space, and closes behind no space and at the border of a word, in
the same line.
"""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

from pytest_llmout.boundary.surfaces.slack import FENCE, MARKS
from pytest_llmout.boundary.surfaces.styles import PLAIN, Run, Style, with_links_under_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_llmout.boundary.surfaces.styles import Styles

_STYLES = {mark: style for style, mark in MARKS.items()}
_TOKEN = re.compile(
    r"(?P<link><(?P<address>[^<>|\n]+)\|(?P<label>[^<>\n]*)>)"
    r"|(?P<code>`(?P<literal>[^`\n]+)`)"
    r"|(?<![^\W_])(?P<mark>[*_~])(?=\S)(?P<inside>(?:<[^<>\n]*>|`[^`\n]+`|[^\n<`])+?)(?<=\S)(?P=mark)(?![^\W_])"
)


def read_mrkdwn(text: str) -> list[Run]:
    """Return the text that Slack shows, in order, with its looks."""
    runs: list[Run] = []
    in_code = False
    for line in text.split("\n"):
        if line == FENCE:
            in_code = not in_code
        else:
            runs += [Run(unescape(line), frozenset({Style.CODE}))] if in_code else _inline(line, PLAIN, "")
        runs.append(Run("\n"))
    return with_links_under_words(runs)


def _inline(text: str, styles: Styles, address: str) -> Iterator[Run]:
    done = 0
    for token in _TOKEN.finditer(text):
        yield Run(unescape(text[done : token.start()]), styles, address)
        if token["link"]:
            yield from _inline(token["label"], styles | {Style.LINKED}, unescape(token["address"]))
        elif token["code"]:
            yield from _code(token["literal"], styles | {Style.CODE})
        else:
            yield from _inline(token["inside"], styles | {_STYLES[token["mark"]]}, address)
        done = token.end()
    yield Run(unescape(text[done:]), styles, address)


def _code(literal: str, styles: Styles) -> Iterator[Run]:
    """Read what is between two backticks, where a link still links and no mark counts."""
    done = 0
    for link in re.finditer(r"<(?P<address>[^<>|]+)\|(?P<label>[^<>]*)>", literal):
        yield Run(unescape(literal[done : link.start()]), styles)
        yield Run(unescape(link["label"]), styles | {Style.LINKED}, unescape(link["address"]))
        done = link.end()
    yield Run(unescape(literal[done:]), styles)
