"""Prompt files: what `llmout record` asks, and under which configurations."""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

import yaml
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    ValidationError,
    ValidationInfo,
    field_validator,
    model_validator,
)

from pytest_llmout.corpus.problems import dotted, first_problem
from pytest_llmout.corpus.record import Json, Message, Output
from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pytest_llmout.corpus.problems import Location

Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]


class _Loader(yaml.SafeLoader):
    """Reads YAML without aliases, by which a few lines can stand for more values than fit into memory."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """Refuse an alias, and read any other node."""
        if self.check_event(yaml.AliasEvent):
            raise yaml.composer.ComposerError(problem="aliases are not read", problem_mark=self.peek_event().start_mark)  # type: ignore[no-untyped-call]  # yaml leaves it untyped
        return super().compose_node(parent, index)


def _load_yaml(text: str) -> Any:  # noqa: ANN401  whatever the file holds
    return yaml.load(text, _Loader)  # noqa: S506  a safe loader that reads less


_LOADERS: dict[str, Callable[[str], Any]] = {".toml": tomllib.loads, ".yaml": _load_yaml, ".yml": _load_yaml}


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Wording(_Part):
    """What one wording adds to every prompt."""

    system: str | None = None
    """A system message, in place of the prompt's own."""
    before: str = ""
    """Text put before the last user message."""
    after: str = ""
    """Text put after the last user message."""


class Configuration(_Part):
    """A named set-up; a useful one differs from another in one thing."""

    name: Name
    """Unique in the file."""
    parameters: dict[str, Json] = Field(default_factory=dict)
    """Handed to the model by name; an integer `seed` is that of sample 0 and counts up with the sample."""
    hint: bool = False
    """Whether the file's hint for the prompt's output type closes the last user message."""
    wording: str | None = None
    """One of the file's wordings."""


class Prompt(_Part):
    """One thing to ask."""

    id: Name
    """Unique in the file."""
    family: str | None = None
    """The kind of task."""
    messages: tuple[Message, ...]
    """The conversation to answer; its last message is the user's."""
    output: Literal["markdown", "json"] | None = None
    """The output type that the reply should keep."""
    schema_: Json | None = Field(default=None, alias="schema")
    """For `json`: a JSON Schema, or in a file the name of a `.json` file beside it, which is read in its place."""

    @property
    def contract(self) -> Output | None:
        """What a record says about the output type."""
        return Output(type=self.output, schema=self.schema_) if self.output else None

    @model_validator(mode="before")
    @classmethod
    def _prompt_is_one_message(cls, data: Any) -> Any:  # noqa: ANN401  pydantic hands over whatever it was given
        if not isinstance(data, dict) or ("prompt" in data) == ("messages" in data):
            raise ValueError("give either `prompt` (one text) or `messages`")
        if "messages" in data:
            return data
        rest = {key: value for key, value in data.items() if key != "prompt"}
        return {**rest, "messages": [{"role": "user", "content": data["prompt"]}]}

    @field_validator("messages")
    @classmethod
    def _user_speaks_last(cls, messages: tuple[Message, ...]) -> tuple[Message, ...]:
        if not messages or messages[-1].role != "user":
            raise ValueError("the last message must have the role user")
        return messages

    @field_validator("schema_")
    @classmethod
    def _read_named_schema(cls, schema: JsonValue, info: ValidationInfo) -> JsonValue:
        if schema is not None and info.data.get("output") != "json":
            raise ValueError('a schema needs output = "json"')
        if isinstance(schema, str) and isinstance(info.context, Path):
            schema = _read_schema(info.context / schema)
        if not isinstance(schema, dict | bool | None):
            raise ValueError("a JSON Schema is an object")  # noqa: TRY004  what pydantic reports
        return schema


class PromptFile(_Part):
    """The content of a prompt file."""

    hints: dict[Literal["markdown", "json"], str] = Field(default_factory=dict)
    """The request hint of each output type."""
    wordings: dict[str, Wording] = Field(default_factory=dict)
    """Named wordings."""
    configurations: tuple[Configuration, ...] = (Configuration(name="default"),)
    """In the order they are recorded."""
    prompts: tuple[Prompt, ...]
    """In the order they are asked."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if not self.prompts:
            raise ValueError("there are no prompts in it")
        _refuse_twice("prompt id", (prompt.id for prompt in self.prompts))
        _refuse_twice("configuration", (configuration.name for configuration in self.configurations))
        for configuration in self.configurations:
            if configuration.wording not in (None, *self.wordings):
                known = ", ".join(self.wordings) or "none"
                where = f"configuration {configuration.name!r}: wording {configuration.wording!r}"
                raise ValueError(f"{where} is not in the file; it has {known}")
        return self

    def messages(self, prompt: Prompt, configuration: Configuration) -> tuple[Message, ...]:
        """Return the messages of a prompt as a configuration words them."""
        wording = self.wordings[configuration.wording] if configuration.wording else Wording()
        hint = self.hints.get(prompt.output) if configuration.hint and prompt.output else None
        *earlier, last = prompt.messages
        text = wording.before + last.content + wording.after + (f"\n\n{hint}" if hint else "")
        if wording.system is not None:
            others = [message for message in earlier if message.role != "system"]
            earlier = [Message(role="system", content=wording.system), *others]
        return (*earlier, Message(role=last.role, content=text))


def read_prompts(path: Path) -> PromptFile:
    """Read and check a prompt file; `.toml`, `.yaml` and `.yml` are told apart by the suffix.

    Raises:
        UsageError: The file cannot be read or is not a prompt file; the message names file, prompt and field.
    """
    data = _parse(path)
    try:
        return PromptFile.model_validate(data, context=path.parent)
    except ValidationError as error:
        where, what = first_problem(error)
        raise UsageError(": ".join([str(path), *_named(where, data), what])) from error


def _parse(path: Path) -> Any:  # noqa: ANN401  whatever the file holds; pydantic judges it
    if path.suffix not in _LOADERS:
        raise UsageError(f"{path}: a prompt file ends in {', '.join(_LOADERS)}")
    try:
        return _LOADERS[path.suffix](path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: not UTF-8 text (byte {error.start + 1})") from error
    except (tomllib.TOMLDecodeError, yaml.YAMLError) as error:
        raise UsageError(f"{path}: {' '.join(str(error).split())}") from error


def _read_schema(path: Path) -> JsonValue:
    try:
        schema: JsonValue = json.loads(path.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise ValueError(f"{path} is not JSON: {error}") from error
    return schema


def _refuse_twice(what: str, names: Iterable[str]) -> None:
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise ValueError(f"{what} {twice[0]!r} stands twice; each must be unique")


def _named(location: Location, data: object) -> list[str]:
    """Say `prompt 'x'` for `prompts.3` where that entry has an id."""
    match location, data:
        case ("prompts" | "configurations" as section, int(index), *rest), dict():
            entry = data[section][index]
            name = (entry.get("id") or entry.get("name")) if isinstance(entry, dict) else None
            label = section.removesuffix("s")
            return [f"{label} {name!r}" if name else f"{label} number {index + 1}", *dotted(tuple(rest))]
        case _:
            return dotted(location)
