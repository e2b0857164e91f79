"""Whether what stands where a credential would stand is one."""

from __future__ import annotations

import re

_PLACEHOLDER = re.compile(
    r"your|example|placeholder|redacted|insert|replace|x{4,}|\.\.\.|…|<|[*]{4,}|^(?:none|null|true|false|required"
    r"|optional|string|undefined|bearer|basic|digest)\b|todo",
    re.IGNORECASE,
)
_REFERENCE = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+[,;)]*|[A-Z]+(?:_[A-Z]+)*[,;)]*|.*[\w\])]\(.*|.*\[.*")
_DESCRIPTION = re.compile(
    r"pass|pwd|hash|secret|value|input|field|variable|text|string|type|word"
    r"|^(?:mandatory|required|optional|sensitive|nullable|disabled|enabled|unchanged|protected|confidential|forgotten"
    r"|generated|automatic|unlimited|multiple|necessary|recommended|deprecated|unsupported|supported|available)$"
    r"|(?:ed|able|ible|ing|rect|valid|known)$",
    re.IGNORECASE,
)
_LETTER_AND_DIGIT = re.compile(r"(?=[^0-9]*[0-9])[^A-Za-z]*[A-Za-z]")
_MIXED_CASE = re.compile(r"[a-z][A-Z]")
_SYMBOL_INSIDE = re.compile(r"[^\W_][!@#%^&*+?~]+[^\W_]")
_EDGE = ".,;:!?)]}*_~\"'"
_LONG = 24
_SHORT = 6


def always(_found: re.Match[str]) -> bool:
    """Accept every match: its shape alone is telling."""
    return True


def is_token_pair(found: re.Match[str]) -> bool:
    """Whether a base64 JSON object is followed by a second part, as in a JSON web token."""
    return "." in found["secret"].rstrip(".")


def looks_random(found: re.Match[str]) -> bool:
    """Whether no person would write this as a word."""
    value = found["secret"].strip(_EDGE)
    if _PLACEHOLDER.search(value[:200]):
        return False
    return len(value) >= _LONG or bool(_LETTER_AND_DIGIT.match(value) or _MIXED_CASE.search(value))


def looks_set(found: re.Match[str]) -> bool:
    """Whether a value that a telling name is set to is the secret itself.

    Alone in quotes every value is that is no placeholder. Bare, or before other words, it may be prose or a name in
    code, and must mix letters with digits or symbols, or be long.
    """
    value = found["secret"].strip(_EDGE)
    head = value[:200]
    if len(value) < _SHORT or _PLACEHOLDER.search(head):
        return False
    if _is_quoted(found):
        return not _REFERENCE.fullmatch(head) or bool(_LETTER_AND_DIGIT.match(head))
    if _REFERENCE.fullmatch(head):
        return False
    return len(value) >= _LONG or bool(_LETTER_AND_DIGIT.match(head) or _SYMBOL_INSIDE.search(head))


def looks_chosen(found: re.Match[str]) -> bool:
    """Whether a single word is itself the password, and does not describe one or name a variable."""
    value = found["secret"]
    return not (_PLACEHOLDER.search(value) or _DESCRIPTION.search(value))


def _is_quoted(found: re.Match[str]) -> bool:
    has_quote = not set(found["open"] or "").isdisjoint("\"'`")
    return has_quote and found.string[found.end() : found.end() + 1] != " "
