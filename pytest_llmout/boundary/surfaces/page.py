"""A web page: one HTML document that is sanitised, loads nothing and runs nothing."""

from __future__ import annotations

import re
from html import escape
from itertools import accumulate

import nh3

from pytest_llmout.boundary.surfaces.github import github
from pytest_llmout.boundary.surfaces.inert import inert

_TAGS = {
    *("a", "blockquote", "br", "code", "del", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "img", "li", "ol", "p"),
    *("pre", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul"),
}
# An image keeps its description and not its address: fetching it would tell its host who reads the page.
_ATTRIBUTES = {"a": {"href", "title"}, "img": {"alt"}, "ol": {"start"}, "td": {"align"}, "th": {"align"}}
_SCHEMES = {"http", "https", "mailto"}

_DOCUMENT = """<!DOCTYPE html>
<html lang="und">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'">
<meta name="referrer" content="no-referrer">
<title>Reply</title>
</head>
<body>
{body}</body>
</html>
"""


_NESTING = re.compile(r"<(/?)(?:a|blockquote|del|em|li|ol|strong|ul)\b")
_DEEPEST = 500


def page(text: str) -> str:
    """Return a canonical text as an HTML document; one that is nested past all use is shown as it is written."""
    html = github(text)
    # Sanitisers and browsers take time by the square of the depth.
    body = f"<pre>{escape(inert(text))}</pre>\n" if _depth(html) > _DEEPEST else _sanitised(html)
    return _DOCUMENT.replace("{body}", body)


def _depth(html: str) -> int:
    return max(accumulate(-1 if tag[1] else 1 for tag in _NESTING.finditer(html)), default=0)


def _sanitised(html: str) -> str:
    return nh3.clean(
        html, tags=_TAGS, attributes=_ATTRIBUTES, url_schemes=_SCHEMES, link_rel="noopener noreferrer nofollow"
    )
