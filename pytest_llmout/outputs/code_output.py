"""The output type of replies that hold one block of code."""

from __future__ import annotations

import ast
import re
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import pyromark

from pytest_llmout.contract import Failure, FailureKind, Ok
from pytest_llmout.errors import UsageError
from pytest_llmout.outputs.json_strict import read_json
from pytest_llmout.outputs.one_line import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

_ALIASES = {"py": "python", "python3": "python", "js": "javascript", "ts": "typescript", "sh": "bash", "shell": "bash"}
_SURROGATE = re.compile("[\ud800-\udfff]")


class _Block(NamedTuple):
    language: str
    code: str
    start: int
    end: int
    """Where the block stands, in bytes of the reply."""


@dataclass(frozen=True, slots=True)
class CodeOutput:
    """A reply with one fenced block in `language`; made by `code_output`."""

    language: str
    name: str
    request_hint: str | None
    max_retries: int

    def parse(self, raw: str) -> Ok[str] | Failure:
        """Judge one reply; see `code_output` for what is accepted."""
        if not raw.strip():
            return Failure(FailureKind.SYNTAX, "(empty reply)", "empty")
        if _SURROGATE.search(raw):
            return self._failure(FailureKind.SYNTAX, "lone_surrogate", "the text holds half of a surrogate pair")
        blocks = list(_blocks(raw))
        match [block for block in blocks if block.language in {"", self.language}]:
            case [block]:
                return self._judge(raw.encode(), block)
            case []:
                seen = f"only blocks in {blocks[0].language} were found" if blocks else "no code fence was found"
                return self._failure(FailureKind.SYNTAX, "no_block", seen)
            case several:
                return self._failure(FailureKind.SCHEMA, "several_blocks", f"{len(several)} were found")

    def retryable(self, failure: Failure) -> bool:  # noqa: ARG002  the contract asks with the failure at hand
        """Say that asking again can help."""
        return True

    def _judge(self, source: bytes, block: _Block) -> Ok[str] | Failure:
        if not _is_closed(source[block.start : block.end].decode()):
            return self._failure(FailureKind.SYNTAX, "truncated", "its fence is never closed")
        fault = _fault(self.language, block.code)
        if fault is not None:
            return self._failure(FailureKind.SCHEMA, "invalid_code", fault)
        present = {"lead_in": source[: block.start].strip(), "trailing_remark": source[block.end :].strip()}
        notes = tuple(note for note, met in present.items() if met)
        return Ok(block.code, _fenced(self.language, block.code), changed=False, notes=notes)

    def _failure(self, kind: FailureKind, reason: str, seen: str) -> Failure:
        return Failure(kind, one_line(f"expected exactly one code block in {self.language}, but {seen}"), reason)


def code_output(
    language: str, *, name: str = "code", request_hint: str | None = None, max_retries: int = 2
) -> CodeOutput:
    r"""Make the output type of replies that hold one fenced block of code, with or without words around it.

    Args:
        language: The language, as info strings name it. Python and JSON are checked for their syntax, by this Python's
            own parser and by RFC 8259; other languages are taken as they are. A block without a language counts.
        name: The name that records and messages use.
        request_hint: The instruction for the prompt; by default it asks for one block.
        max_retries: How many re-asks may follow the first reply.

    Returns:
        An output type whose value is the code, lines ending in `\n`, and whose canonical text is the block alone.
        `changed` is never true; `notes` may hold `lead_in` and `trailing_remark`. `reason` is `empty`, `no_block`,
        `truncated` or `lone_surrogate` (`syntax`), `several_blocks` or `invalid_code` (`schema`).

    Raises:
        UsageError: The language is not one word, as an info string begins with.
    """
    if not re.fullmatch(r"[^\s`]+", language):
        raise UsageError(f"language={language!r}: give one word, as it stands after ``` in a fence")
    known = _known(language)
    hint = f"Reply with exactly one code block that begins with ```{known}." if request_hint is None else request_hint
    return CodeOutput(known, name, hint, max_retries)


def _known(language: str) -> str:
    return _ALIASES.get(language.lower(), language.lower())


def _blocks(raw: str) -> Iterator[_Block]:
    block = None
    for event, place in pyromark.events_with_range(raw, merge_text=True):
        match event:
            case {"Start": {"CodeBlock": {"Fenced": str(info)}}}:
                block = _Block(_known((info.split() or [""])[0]), "", place["start"], place["end"])
            case {"Text": str(code)} if block is not None:
                block = block._replace(code=block.code + code)
            case {"End": "CodeBlock"} if block is not None:
                yield block
                block = None


def _is_closed(block: str) -> bool:
    opening, _, rest = block.partition("\n")
    mark = opening[: len(opening) - len(opening.lstrip(opening[0]))]
    last = rest.rstrip().rpartition("\n")[2].lstrip("> \t")
    return last.startswith(mark) and not last.strip(mark[0])


def _fault(language: str, code: str) -> str | None:
    match language:
        case "json":
            read = read_json(code)
            return read.observed if isinstance(read, Failure) else None
        case "python":
            return _python_fault(code)
        case _:
            return None


def _python_fault(code: str) -> str | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(code)
    except SyntaxError as error:
        return f"line {error.lineno}: {error.msg}"
    except (ValueError, RecursionError, MemoryError) as error:  # NUL characters; nesting beyond the parser's stack
        return f"it cannot be parsed ({type(error).__name__})"
    return None


def _fenced(language: str, code: str) -> str:
    runs = re.findall("`+", code)
    fence = "`" * max(3, 1 + max(map(len, runs), default=0))
    return f"{fence}{language}\n{code}{fence}\n"
