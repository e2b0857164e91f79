"""What `llmout.ask` takes for a prompt."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from pydantic import TypeAdapter, ValidationError

from pytest_llmout.corpus.record import Message
from pytest_llmout.errors import UsageError
from pytest_llmout.lookup import candidates, load_attribute
from pytest_llmout.outputs.json_output import json_output
from pytest_llmout.outputs.markdown_output import markdown_output

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from pytest_llmout.contract import OutputType
    from pytest_llmout.corpus.prompts import Prompt, PromptFile

_REFERENCE = re.compile(r"(?P<file>\S+\.(?:toml|yaml|yml))::(?P<name>\S+)")
_MESSAGES = TypeAdapter(tuple[Message, ...])


@dataclass(frozen=True, slots=True)
class Question:
    """A prompt as it was found."""

    messages: tuple[Message, ...]
    """The conversation to answer."""
    id: str | None = None
    """The prompt's name in its file."""
    family: str | None = None
    """The kind of task."""
    output: OutputType[Any] | None = None
    """The contract that the prompt file states."""

    def with_hint(self, hint: str | None) -> tuple[Message, ...]:
        """Return the messages with an instruction at the end of the last one."""
        *earlier, last = self.messages
        return (*earlier, Message(role=last.role, content=f"{last.content}\n\n{hint}")) if hint else self.messages


def find_question(prompt: str | Sequence[Mapping[str, str]], folder: Path) -> Question:
    """Tell what a prompt is: a text, a conversation, or `FILE::NAME` for a prompt of a prompt file.

    Args:
        prompt: The prompt.
        folder: Where a relative file name begins.

    Raises:
        UsageError: The messages or the file cannot be used, or the file holds no such prompt (the message lists its
            prompts).
    """
    if not isinstance(prompt, str):
        return Question(_messages(prompt))
    reference = _REFERENCE.fullmatch(prompt)
    if reference is None:
        return Question((Message(role="user", content=prompt),))
    found = _find(folder / reference["file"], reference["name"])
    return Question(found.messages, found.id, found.family, _output(found))


def _messages(prompt: object) -> tuple[Message, ...]:
    try:
        messages = _MESSAGES.validate_python(prompt)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or type(prompt).__name__
        raise UsageError(f"a prompt is a text or messages with role and content; {where}: {first['msg']}") from error
    if not messages:
        raise UsageError("a prompt is a text or messages; there is no message in it")
    return messages


def _find(path: Path, name: str) -> Prompt:
    # Found by name, because reading YAML needs an extra that replaying a plain prompt does not.
    read = cast("Callable[[Path], PromptFile]", load_attribute("pytest_llmout.corpus.prompts:read_prompts"))
    prompts = {prompt.id: prompt for prompt in read(path).prompts}
    if name not in prompts:
        raise UsageError(f"{path}: no prompt {name!r}{candidates(name, prompts)}")
    return prompts[name]


def _output(prompt: Prompt) -> OutputType[Any] | None:
    match prompt.output:
        case "markdown":
            return markdown_output()
        case "json":
            return json_output(Any if prompt.schema_ is None else prompt.schema_)
        case None:
            return None
