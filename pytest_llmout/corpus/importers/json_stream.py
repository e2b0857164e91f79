"""Reading the wanted parts of a JSON document that need not fit into memory."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from typing import TextIO

Path: TypeAlias = tuple[str, ...]
"""Keys from the outside in; `*` stands for every element of an array."""

LARGEST = 32 * 2**20
"""How long one value may be, in characters or bytes: what bounds the memory an import takes."""

ESCAPED_BYTE = re.compile("[\udc80-\udcff]")
"""What a byte that is not UTF-8 is in text decoded with `surrogateescape`."""

_CHUNK = 2**18
_SPACE = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()


def pick(value: Any, paths: Collection[Path], where: str) -> Iterator[tuple[str, Path, Any]]:  # noqa: ANN401  JSON
    """Yield the place, the path and the value of each wanted part of a decoded document."""
    yield from _pick(value, paths, (), where)


def _pick(value: Any, paths: Collection[Path], path: Path, where: str) -> Iterator[tuple[str, Path, Any]]:  # noqa: ANN401
    if path in paths:
        yield where, path, value
    elif not _leads_to(path, paths):
        return
    elif isinstance(value, dict):
        for key, part in value.items():
            yield from _pick(part, paths, (*path, key), f"{where}.{key}")
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from _pick(part, paths, (*path, "*"), f"{where}[{number}]")


def _leads_to(path: Path, paths: Collection[Path]) -> bool:
    return any(wanted[: len(path)] == path for wanted in paths)


class JsonReader:
    """Reads one document piece by piece; at most one wanted part of it is in memory at a time.

    Args:
        file: The text, bytes that are not UTF-8 escaped as surrogates.
    """

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._text = ""
        self._at = 0
        self._ended = False

    def parts(self, paths: Collection[Path]) -> Iterator[tuple[str, Path, Any]]:
        """Yield the place, the path and the value of each wanted part; an object at the top is an array of one.

        Raises:
            ValueError: The text is not JSON or not UTF-8, or one value is too long.
            RecursionError: A value is nested too deeply.
        """
        if self._peek() != "[":
            paths = {path[1:] if path[:1] == ("*",) else path for path in paths}
        yield from self._walk(paths, (), "")
        if self._peek():
            raise ValueError("text after the end of the JSON")

    def _walk(self, paths: Collection[Path], path: Path, where: str) -> Iterator[tuple[str, Path, Any]]:
        first = self._peek()
        if path in paths or first not in ("{", "[") or not _leads_to(path, paths):
            value = self._value()
            if path in paths:
                yield where, path, value
            return
        self._at += 1
        for number, step in enumerate(self._keys() if first == "{" else self._members("]")):
            name = f"[{number}]" if first == "[" else f".{step}" if where else step
            yield from self._walk(paths, (*path, step), where + name)

    def _keys(self) -> Iterator[str]:
        for _ in self._members("}"):
            key = self._value()
            if not isinstance(key, str) or self._peek() != ":":
                raise ValueError("a key and a colon should stand here")
            self._at += 1
            yield key

    def _members(self, end: str) -> Iterator[str]:
        if self._peek() == end:
            self._at += 1
            return
        while True:
            yield "*"
            mark = self._peek()
            self._at += 1
            if mark == end:
                return
            if mark != ",":
                raise ValueError(f"`,` or `{end}` should stand here" if mark else "the text ends too early")

    def _peek(self) -> str:
        """Return the next character that is not white space, or nothing at the end."""
        while True:
            space = _SPACE.match(self._text, self._at)
            self._at = space.end() if space else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def _value(self) -> Any:  # noqa: ANN401  JSON
        self._peek()
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                if not self._more():
                    raise ValueError(error.msg) from None
                continue
            length = end - self._at
            if end < len(self._text) or not self._more():  # a number may go on
                break
        text = self._text[self._at : self._at + length]
        self._at += length
        if ESCAPED_BYTE.search(text):
            raise ValueError("not UTF-8 text")
        return value

    def _more(self) -> bool:
        """Read on, in steps that grow with what is waiting, so that each text is parsed few times."""
        waiting = self._text[self._at :]
        if len(waiting) > LARGEST:
            raise ValueError(f"one value is longer than {LARGEST} characters")
        more = "" if self._ended else self._file.read(max(_CHUNK, len(waiting)))
        self._ended = not more
        self._text, self._at = waiting + more, 0
        return bool(more)
