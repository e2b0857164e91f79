"""langchain-core: the parser behind `JsonOutputParser`."""

from __future__ import annotations

from langchain_core.utils.json import parse_json_markdown


def extract(raw: str) -> object:
    """Return what the library makes of a reply."""
    found: object = parse_json_markdown(raw)
    return found
