"""Links and images."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pytest_llmout.dialect.feature import feature

if TYPE_CHECKING:
    from pytest_llmout.dialect.reply import Reply

_BARE_URL = re.compile(r"(?:https?://|\bwww\.)[^\s<]+\w")
_AUTOLINKS = ("Autolink", "Email")


def _types(reply: Reply) -> list[str]:
    return [link["link_type"] for link, _, _ in reply.nodes["Link"]]


def _links(reply: Reply, *types: str) -> int:
    return sum(map(reply.once(_types).count, types))


@feature(
    says="writes inline links", unit="links", kind="Link", examples={"[a](b)": 1, "[a][b]\n\n[b]: c": 0, "![a](b)": 0}
)
def link_inline(reply: Reply) -> int:
    """Links with the address behind the text."""
    return _links(reply, "Inline")


@feature(
    says="writes reference links",
    unit="links",
    kind="Link",
    examples={"[a][b] [b]\n\n[b]: c": 2, "[a](b) <http://c.d>": 0},
)
def link_reference(reply: Reply) -> int:
    """Links whose address is defined elsewhere in the reply."""
    return len(reply.nodes["Link"]) - _links(reply, "Inline", *_AUTOLINKS)


@feature(
    says="writes addresses in angle brackets",
    unit="links",
    kind="Link",
    examples={"<http://a.b> <c@d.e>": 2, "http://a.b": 0},
)
def link_autolink(reply: Reply) -> int:
    """Addresses within angle brackets."""
    return _links(reply, *_AUTOLINKS)


@feature(
    says="writes bare addresses",
    unit="links",
    examples={"see https://a.b/c or www.d.e": 2, "[a](https://a.b) `https://a.b`": 0},
)
def link_bare(reply: Reply) -> int:
    """Addresses that stand in the text as they are."""
    if "://" not in reply.text and "www." not in reply.text:
        return 0
    shown = sum(len(_BARE_URL.findall(reply.slice(node).partition("](")[0])) for node in reply.nodes["Link"])
    return len(_BARE_URL.findall(reply.prose)) - shown


@feature(says="writes links that lead nowhere", unit="links", kind="Link", examples={"[a]() [b](#)": 2, "[a](b)": 0})
def link_empty(reply: Reply) -> int:
    """Links that lead nowhere: no address, or `#` alone."""
    return sum(1 for link, _, _ in reply.nodes["Link"] if link["dest_url"] in ("", "#"))


@feature(says="shows images", unit="images", kind="Image", examples={"![a](b)": 1, "[a](b)": 0})
def image(reply: Reply) -> int:
    """Images."""
    return len(reply.nodes["Image"])
