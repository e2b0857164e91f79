"""Read back what the plain text of `memory` says about its words."""

from __future__ import annotations

import re

from pytest_llmout.boundary.surfaces.memory import CLOSE, OPEN
from pytest_llmout.boundary.surfaces.styles import Run, Style, with_links_under_words

_LOOK = rf"(?:bold|italic|struck|code|link to [^\s{OPEN}{CLOSE}]+)"
_REMARK = re.compile(rf"{OPEN}({_LOOK}(?:, {_LOOK})*):[ \n]([^{CLOSE}]*){CLOSE}")
_LINK = "link to "


def read_memory(text: str) -> list[Run]:
    """Return the text without its remarks, in order, with the looks that they name."""
    runs: list[Run] = []
    done = 0
    for remark in _REMARK.finditer(text):
        runs += Run(text[done : remark.start()]), _run(*remark.groups())
        done = remark.end()
    return with_links_under_words([*runs, Run(text[done:])])


def _run(looks: str, words: str) -> Run:
    before, _, address = looks.partition(_LINK)
    names = [name for name in before.split(", ") if name]
    linked = [Style.LINKED] if address else []
    return Run(words, frozenset([*map(Style, names), *linked]), address)
