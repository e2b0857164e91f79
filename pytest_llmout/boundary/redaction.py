"""Redaction: credentials out of a text, before anything is published or stored."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_llmout.boundary.secret_shapes import SHAPES

if TYPE_CHECKING:
    from pytest_llmout.boundary.secret_shapes import SecretShape

MASK = "REDACTED"

# From one letter or digit to another, over nothing that can mean something in Markdown. Both ends of the run, and of
# the mask, are letters or digits, so each delimiter beside it flanks as before; `_` between them never delimits, but
# beside punctuation it can, and stays.
_RUN = re.compile(r"[^\W_]+(?:(?:_+|[^\w\s*`~\[\]()<>$|\\!&#\"']+)[^\W_]+)*+")


def redact(text: str) -> str:
    """Return the text with `REDACTED` in place of each credential that `secret_shapes` describes.

    Delimiters of Markdown stay where they are, also inside a credential, so the text keeps its tree: no code becomes
    emphasis and no emphasis code. A second redaction changes nothing. Takes linear time on any text.

    >>> redact("Set **API_KEY=q7Jz0pTf3x** and `curl -u me:hunter2 https://a.b`")
    'Set **API_KEY=REDACTED** and `curl -u me:REDACTED https://a.b`'
    """
    lowered = text.lower()
    for shape in SHAPES:
        if not shape.hints or any(hint in lowered for hint in shape.hints):
            text = _without(text, shape)
    return text


def _without(text: str, shape: SecretShape) -> str:
    def masked(found: re.Match[str]) -> str:
        if not shape.is_secret(found):
            return found[0]
        secret = found["secret"]
        start, end = found.start("secret") - found.start(), found.end("secret") - found.start()
        hidden = _mask(secret) if shape.part is None else shape.part.sub(_mask_group, secret)
        return found[0][:start] + hidden + found[0][end:]

    return shape.pattern.sub(masked, text)


def _mask_group(found: re.Match[str]) -> str:
    secret = found["secret"]
    return found[0].removesuffix(secret) + _mask(secret)


def _mask(secret: str) -> str:
    return _RUN.sub(MASK, secret)
