"""GitHub: the HTML that its own Markdown library makes."""

from __future__ import annotations

import cmarkgfm

from pytest_llmout.boundary.surfaces.inert import inert, without_steering


def github(text: str) -> str:
    """Return the HTML of a canonical text by cmark-gfm in its safe mode: no raw HTML, no scripting addresses."""
    return without_steering(cmarkgfm.github_flavored_markdown_to_html(inert(text)))
