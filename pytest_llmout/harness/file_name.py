"""File names for tests: ASCII, short enough for every file system, and no two tests share one."""

from __future__ import annotations

import hashlib
from urllib.parse import quote, unquote

MAX_LENGTH = 200
"""Leaves room for a suffix below the 255 bytes that common file systems allow."""


def fitting_name(name: str) -> str:
    """Return the name itself, or, if it is too long for a file name, its beginning, `~` and a hash of the whole."""
    if len(quoted_name(name)) <= MAX_LENGTH:
        return name
    return f"{name_beginning(name)}~{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def name_beginning(name: str) -> str:
    """Return as much of a name as fits into a file name."""
    name = name[:MAX_LENGTH]
    while len(quoted_name(name)) > MAX_LENGTH:
        name = name[:-1]
    return name


def quoted_name(name: str) -> str:
    """Return the name with all but ASCII letters, digits and `_.-~[]` percent-encoded; `unquoted_name` undoes it."""
    return quote(name, safe="[]", errors="surrogatepass")


def unquoted_name(quoted: str) -> str:
    """Return the name that `quoted_name` encoded."""
    return unquote(quoted, errors="surrogatepass")
