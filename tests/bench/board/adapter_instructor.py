"""instructor: finds the JSON in a code block, then reads it."""

from __future__ import annotations

import json

from instructor.utils import extract_json_from_codeblock


def extract(raw: str) -> object:
    """Return what the library makes of a reply."""
    found: object = json.loads(extract_json_from_codeblock(raw))
    return found
