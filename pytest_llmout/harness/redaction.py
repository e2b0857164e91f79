"""The secrets that are taken out of every text before it is written, whatever the project adds."""

from __future__ import annotations

import re

_SECRETS = {
    "private key": r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)",
    "api key": r"\bsk-[A-Za-z0-9_-]{20,}",
    "aws key": r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b",
    "github token": r"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})",
    "google key": r"\bAIza[0-9A-Za-z_-]{35}",
    "slack token": r"\bxox[abeprs]-[0-9A-Za-z-]{10,}",
    "json web token": r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+",
    "bearer token": r"(?<=\bBearer )[A-Za-z0-9._~+/-]{20,}=*",
}
_PATTERNS = {name: re.compile(pattern, re.DOTALL) for name, pattern in _SECRETS.items()}


def redact_secrets(text: str) -> str:
    """Replace what looks like a credential by `[its name]`; by form alone, so that every machine redacts the same."""
    for name, pattern in _PATTERNS.items():
        text = pattern.sub(f"[{name}]", text)
    return text
