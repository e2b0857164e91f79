"""Neither the length of a text nor the number of its nodes matters."""

from __future__ import annotations

from pytest_llmout.conformance.case import Case, Problem, shown

_BLOCKS, _NODES = 60_000, 1_000

_NUMBERED = "".join(f"*b{number} c d e f g h i j k* l{number}.\n\n" for number in range(12_000))

KNOWN = {
    "words " * 180_000 + "*a*": "words " * 180_000 + "**a**",
    "words\n\n" * (_BLOCKS // 10) + "*a*\n": "words\n\n" * (_BLOCKS // 10) + "**a**\n",
    "*a*\n\n" + "words " * _BLOCKS: "**a**\n\n" + "words " * _BLOCKS,
    f"*a {'word ' * (_BLOCKS // 5)}b*": f"**a {'word ' * (_BLOCKS // 5)}b**",
    "*a* b\n\n" * _NODES: "**a** b\n\n" * _NODES,
    "*a* b " * _NODES: "**a** b " * _NODES,
    "- *a* b\n" * _NODES: "- **a** b\n" * _NODES,
    "> *a* b\n" * _NODES: "> **a** b\n" * _NODES,
    "**b** _c_ `*d*`\n\n" * _NODES + "*a*": "**b** _c_ `*d*`\n\n" * _NODES + "**a**",
    "*重点*\r\n\r\n" * _NODES: "**重点**\r\n\r\n" * _NODES,
    _NUMBERED: _NUMBERED.replace("*", "**"),
    "- " * 2_500 + "a": "- " * 2_500 + "a",
    "_" * _BLOCKS: "_" * _BLOCKS,
    "(" * _BLOCKS: "(" * _BLOCKS,
    "![" * 5_000: "![" * 5_000,
    "<" * _BLOCKS: "<" * _BLOCKS,
    "*a " * 2_500 + "b* " * 2_500: "*a " * 2_500 + "b* " * 2_500,
    "> " * 20_000 + "a": "> " * 20_000 + "a",
    "[" * _BLOCKS: "[" * _BLOCKS,
    "*" * _BLOCKS: "*" * _BLOCKS,
    "": "",
}
"""Long texts whose canonical form follows from how they are made, and the shortest."""


def check(case: Case) -> Problem | None:
    """Compare with what is known; other texts are not looked at."""
    wanted = KNOWN.get(case.raw, case.got)
    return None if case.got == wanted else Problem(shown(wanted), f"{shown(case.got)}, {len(case.got)} characters")
