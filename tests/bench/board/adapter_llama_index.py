"""llama-index-core: the parser behind its structured output."""

from __future__ import annotations

from llama_index.core.output_parsers.utils import parse_json_markdown


def extract(raw: str) -> object:
    """Return what the library makes of a reply."""
    found: object = parse_json_markdown(raw)
    return found
