"""pydantic-ai: takes the fences off, then reads JSON."""

from __future__ import annotations

import json

from pydantic_ai._utils import strip_markdown_fences


def extract(raw: str) -> object:
    """Return what the library makes of a reply."""
    found: object = json.loads(strip_markdown_fences(raw))
    return found
