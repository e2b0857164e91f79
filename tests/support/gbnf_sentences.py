"""Reading a GBNF grammar, and drawing sentences of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Callable

TOKEN = re.compile(
    r"""(?P<text>"(?:[^"\\]|\\.)*")|(?P<set>\[(?:[^\]\\]|\\.)*\])|(?P<name>[a-z][a-z0-9-]*)"""
    r"""|(?P<repeat>[?*+]|\{\d*(?:,\d*)?\})|(?P<mark>[()|])|(?P<space>\s+)"""
)
BOUNDS = {"?": (0, 1), "*": (0, None), "+": (1, None)}
MOST = 3
Node = "Text | Set | Name | Choice | Sequence | Repeat"


@dataclass(frozen=True)
class Text:
    text: str


@dataclass(frozen=True)
class Set:
    ranges: str
    negated: bool


@dataclass(frozen=True)
class Name:
    name: str


@dataclass(frozen=True)
class Choice:
    members: tuple[object, ...]


@dataclass(frozen=True)
class Sequence:
    members: tuple[object, ...]


@dataclass(frozen=True)
class Repeat:
    member: object
    least: int
    most: int | None


def read_grammar(grammar: str) -> dict[str, Choice]:
    """Read a grammar, one rule a line; raise for anything that is not GBNF or names no rule."""
    rules = {}
    for line in grammar.rstrip("\n").split("\n"):
        name, arrow, body = line.partition(" ::= ")
        assert arrow, line
        assert re.fullmatch(r"[a-z][a-z0-9-]*", name), name
        assert name not in rules, f"{name} stands twice"
        assert not body.rstrip().endswith("|"), f"{name} runs on into the next line"
        tokens = list(tokens_of(body))
        rules[name] = read_choice(tokens)
        assert not tokens, f"{name}: {tokens}"
    for rule in rules.values():
        assert names_in(rule) <= rules.keys(), names_in(rule) - rules.keys()
    return rules


def tokens_of(body: str) -> list[tuple[str, str]]:
    tokens, position = [], 0
    while position < len(body):
        found = TOKEN.match(body, position)
        assert found is not None, body[position:]
        position = found.end()
        if found.lastgroup != "space":
            tokens.append((str(found.lastgroup), found[0]))
    return tokens


def read_choice(tokens: list[tuple[str, str]]) -> Choice:
    members: list[object] = [read_sequence(tokens)]
    while tokens and tokens[0][1] == "|":
        tokens.pop(0)
        members.append(read_sequence(tokens))
    return Choice(tuple(members))


def read_sequence(tokens: list[tuple[str, str]]) -> Sequence:
    members: list[object] = []
    while tokens and tokens[0][1] not in {"|", ")"}:
        kind, text = tokens.pop(0)
        match kind:
            case "text":
                members.append(Text(unescaped(text[1:-1])))
            case "set":
                inner = text[1:-1]
                members.append(Set(unescaped(inner.removeprefix("^")), inner.startswith("^")))
            case "name":
                members.append(Name(text))
            case "repeat":
                members.append(Repeat(members.pop(), *bounds(text)))
            case _:
                assert text == "("
                members.append(read_choice(tokens))
                assert tokens.pop(0)[1] == ")"
    return Sequence(tuple(members))


def bounds(text: str) -> tuple[int, int | None]:
    if text in BOUNDS:
        return BOUNDS[text]
    least, comma, most = text[1:-1].partition(",")
    return int(least or 0), (int(most) if most else None) if comma else int(least)


def unescaped(text: str) -> str:
    return re.sub(
        r"\\(x[0-9A-F]{2}|.)",
        lambda found: (
            chr(int(found[1][1:], 16)) if found[1][0] == "x" else {"n": "\n", "t": "\t"}.get(found[1], found[1])
        ),
        text,
    )


def names_in(node: object) -> set[str]:
    match node:
        case Name(name):
            return {name}
        case Choice(members) | Sequence(members):
            return {name for member in members for name in names_in(member)}
        case Repeat(member):
            return names_in(member)
        case _:
            return set()


@st.composite
def sentences(draw: Callable[..., object], grammar: str) -> str:
    """Draw a sentence of a grammar; once it is deep, the first alternative of a choice that ends soonest is taken."""
    rules = read_grammar(grammar)
    depth = least_depths(rules)

    def write(node: object, room: int) -> str:
        match node:
            case Text(text):
                return text
            case Set():
                return str(draw(st.sampled_from(characters(node))))
            case Name(name):
                return write(rules[name], room - 1)
            case Sequence(members):
                return "".join(write(member, room) for member in members)
            case Choice(members):
                fitting = [member for member in members if depth_of(member, depth) <= room]
                shortest = min(members, key=lambda member: depth_of(member, depth))
                return write(draw(st.sampled_from(fitting or [shortest])), room)
            case Repeat(member, least, most):
                most = (
                    least
                    if depth_of(member, depth) > room
                    else min(least + MOST, least + MOST if most is None else most)
                )
                return "".join(write(member, room) for _ in range(int(str(draw(st.integers(least, most))))))
            case _:
                raise AssertionError(node)

    return write(rules["root"], 14)


def characters(node: Set) -> str:
    allowed = set()
    pieces = re.findall(r"(.)-(.)|(.)", node.ranges, re.DOTALL)
    for first, last, single in pieces:
        allowed |= {single} if single else {chr(code) for code in range(ord(first), ord(last) + 1)}
    probe = 'aZ 9"\\\n\t\x7fé茶\U0001f375/{}[]:,\u2028'
    return "".join(sorted(set(probe) - allowed if node.negated else allowed))


def least_depths(rules: dict[str, Choice]) -> dict[str, float]:
    depth: dict[str, float] = dict.fromkeys(rules, float("inf"))
    for _ in rules:
        depth = {name: 1 + depth_of(rule, depth) for name, rule in rules.items()}
    return depth


def depth_of(node: object, depth: dict[str, float]) -> float:
    match node:
        case Name(name):
            return depth[name]
        case Choice(members):
            return min(depth_of(member, depth) for member in members)
        case Sequence(members):
            return max((depth_of(member, depth) for member in members), default=0)
        case Repeat(member, least):
            return depth_of(member, depth) if least else 0
        case _:
            return 0
