"""Code: fences, indented blocks, spans."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_llmout.dialect.feature import feature

if TYPE_CHECKING:
    from pytest_llmout.dialect.reply import Reply


def _fences(reply: Reply) -> list[tuple[str, str]]:
    """Return the info string and the source of each fenced block."""
    nodes = reply.nodes["CodeBlock"]
    return [(node[0]["Fenced"], reply.slice(node)) for node in nodes if node[0] != "Indented"]


def _fenced_with(reply: Reply, marker: str) -> int:
    return sum(source.startswith(marker) for _, source in reply.once(_fences))


def _is_closed(source: str) -> bool:
    first, *rest = source.rstrip().split("\n")
    marker = first[:1]
    length = len(first) - len(first.lstrip(marker))
    last = rest[-1].strip(" \t>") if rest else ""
    return len(last) >= length and not last.strip(marker)


@feature(
    says="fences code with backticks",
    unit="blocks",
    kind="CodeBlock",
    examples={"```\na\n```": 1, "~~~\na\n~~~": 0, "`a`": 0},
)
def fence_backtick(reply: Reply) -> int:
    """Code blocks fenced with backticks."""
    return _fenced_with(reply, "`")


@feature(says="fences code with tildes", unit="blocks", kind="CodeBlock", examples={"~~~\na\n~~~": 1, "```\na\n```": 0})
def fence_tilde(reply: Reply) -> int:
    """Code blocks fenced with tildes."""
    return _fenced_with(reply, "~")


@feature(
    says="names the language of code", unit="blocks", kind="CodeBlock", examples={"```py\na\n```": 1, "```\na\n```": 0}
)
def fence_info(reply: Reply) -> int:
    """Fenced code blocks that name a language."""
    return sum(bool(info) for info, _ in reply.once(_fences))


@feature(
    says="leaves a fence open",
    unit="blocks",
    kind="CodeBlock",
    examples={"```py\na": 1, "```\na\n```": 0, "````\n```": 1, "> ```\n> a\n> ```\n": 0},
)
def fence_unclosed(reply: Reply) -> int:
    """Fenced code blocks that nothing closes."""
    return sum(not _is_closed(source) for _, source in reply.once(_fences))


@feature(
    says="nests fences of one length",
    unit="blocks",
    kind="CodeBlock",
    examples={"```md\n```py\na\n```\n```": 1, "````md\n```py\na\n```\n````": 0, "```py\na\n```": 0},
)
def fence_nested(reply: Reply) -> int:
    """Fenced code blocks that hold another opening fence of their own marker and length, so that they end too early."""
    return sum(_opens_again(source) for _, source in reply.once(_fences))


def _opens_again(source: str) -> bool:
    first, _, body = source.partition("\n")
    fence = first[: len(first) - len(first.lstrip(first[:1]))]
    if f"\n{fence}" not in source:
        return False
    return any(line.startswith(fence) and line[len(fence) :].strip(f"{fence[0]} \t\r") for line in body.split("\n"))


@feature(says="indents code by four spaces", unit="blocks", kind="CodeBlock", examples={"    a\n": 1, "- a\n    b": 0})
def code_indented(reply: Reply) -> int:
    """Code blocks made by four spaces."""
    return sum(1 for code, _, _ in reply.nodes["CodeBlock"] if code == "Indented")


@feature(says="writes code within a line", unit="spans", kind="Code", examples={"`a` and ``b``": 2, "```\na\n```": 0})
def code_span(reply: Reply) -> int:
    """Code within a line."""
    return len(reply.nodes["Code"])
