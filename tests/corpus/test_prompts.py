from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_llmout.corpus.prompts import read_prompts
from pytest_llmout.corpus.store import shipped_corpus
from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

TOML = """
[hints]
json = "JSON only."

[wordings.brief]
system = "Be brief."
before = "Please: "
after = " Thanks."

[[configurations]]
name = "base"
parameters = { temperature = 0.2 }

[[configurations]]
name = "hint"
hint = true

[[configurations]]
name = "brief"
wording = "brief"

[[prompts]]
id = "one"
family = "review"
output = "json"
schema = "verdict.json"
prompt = "Approve {this}?"

[[prompts]]
id = "two"
output = "markdown"
messages = [
  { role = "system", content = "Be long." },
  { role = "user", content = "Hi" },
  { role = "assistant", content = "Hello" },
  { role = "user", content = "Bye" },
]
"""
YAML = """
hints: {json: JSON only.}
wordings:
  brief: {system: Be brief., before: "Please: ", after: " Thanks."}
configurations:
  - {name: base, parameters: {temperature: 0.2}}
  - {name: hint, hint: true}
  - {name: brief, wording: brief}
prompts:
  - {id: one, family: review, output: json, schema: verdict.json, prompt: "Approve {this}?"}
  - id: two
    output: markdown
    messages:
      - {role: system, content: Be long.}
      - {role: user, content: Hi}
      - {role: assistant, content: Hello}
      - {role: user, content: Bye}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "verdict.json").write_text('{"type": "object"}', encoding="utf-8")
    return tmp_path


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_toml_and_yaml_say_the_same(folder: Path) -> None:
    from_toml = read_prompts(write(folder / "p.toml", TOML))
    assert from_toml == read_prompts(write(folder / "p.yaml", YAML)) == read_prompts(write(folder / "p.yml", YAML))
    assert from_toml.prompts[0].schema_ == {"type": "object"}
    assert from_toml.configurations[0].parameters == {"temperature": 0.2}


@pytest.mark.parametrize(
    ("configuration", "expected"),
    [
        (
            0,
            [
                [("user", "Approve {this}?")],
                [("system", "Be long."), ("user", "Hi"), ("assistant", "Hello"), ("user", "Bye")],
            ],
        ),
        (
            1,
            [
                [("user", "Approve {this}?\n\nJSON only.")],
                [("system", "Be long."), ("user", "Hi"), ("assistant", "Hello"), ("user", "Bye")],
            ],
        ),
        (
            2,
            [
                [("system", "Be brief."), ("user", "Please: Approve {this}? Thanks.")],
                [("system", "Be brief."), ("user", "Hi"), ("assistant", "Hello"), ("user", "Please: Bye Thanks.")],
            ],
        ),
    ],
    ids=["as it is", "with the hint", "in another wording"],
)
def test_a_configuration_changes_the_messages(
    folder: Path, configuration: int, expected: list[list[tuple[str, str]]]
) -> None:
    file = read_prompts(write(folder / "p.toml", TOML))
    for prompt, messages in zip(file.prompts, expected, strict=True):
        asked = file.messages(prompt, file.configurations[configuration])
        assert [(message.role, message.content) for message in asked] == messages


def test_a_file_without_configurations_has_one(folder: Path) -> None:
    file = read_prompts(write(folder / "p.toml", '[[prompts]]\nid = "a"\nprompt = "x"'))
    assert [configuration.name for configuration in file.configurations] == ["default"]


ONE = '[[prompts]]\nid = "a"\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("x =", "Invalid value (at end of document)", id="not TOML"),
        pytest.param("", "prompts: Field required", id="empty"),
        pytest.param("prompts = []", "there are no prompts in it", id="no prompts"),
        pytest.param("prompts = [1]", "prompt number 1: give either `prompt` (one text) or `messages`", id="a number"),
        pytest.param(ONE, "prompt 'a': give either `prompt` (one text) or `messages`", id="neither"),
        pytest.param(
            ONE + 'prompt = "x"\nmessages = []', "prompt 'a': give either `prompt` (one text) or `messages`", id="both"
        ),
        pytest.param(
            ONE + "messages = []", "prompt 'a': messages: the last message must have the role user", id="no message"
        ),
        pytest.param(
            ONE + "prompt = 5", "prompt 'a': messages.0.content: Input should be a valid string", id="no text"
        ),
        pytest.param('[[prompts]]\nprompt = "x"', "prompt number 1: id: Field required", id="no id"),
        pytest.param(
            '[[prompts]]\nid = "a/b"\nprompt = "x"',
            "prompt 'a/b': id: String should match pattern '^[A-Za-z0-9][A-Za-z0-9._-]*$'",
            id="a slash in the id",
        ),
        pytest.param(
            ONE + 'prompt = "x"\n' + ONE + 'prompt = "y"',
            "prompt id 'a' stands twice; each must be unique",
            id="the same id twice",
        ),
        pytest.param(
            ONE + 'prompt = "x"\ncolour = "red"',
            "prompt 'a': colour: Extra inputs are not permitted",
            id="an unknown field",
        ),
        pytest.param(
            ONE + 'prompt = "x"\noutput = "jsn"',
            "prompt 'a': output: Input should be 'markdown' or 'json'",
            id="an unknown output type",
        ),
        pytest.param(
            ONE + 'prompt = "x"\nschema = {}',
            "prompt 'a': schema: a schema needs output = \"json\"",
            id="a schema of nothing",
        ),
        pytest.param(
            ONE + 'prompt = "x"\noutput = "json"\nschema = "none.json"',
            "prompt 'a': schema: FOLDER/none.json cannot be read: No such file or directory",
            id="a missing schema",
        ),
        pytest.param(
            ONE + 'prompt = "x"\noutput = "json"\nschema = 5',
            "prompt 'a': schema: a JSON Schema is an object",
            id="a schema of another kind",
        ),
        pytest.param(
            ONE + 'prompt = "x"\noutput = "json"\nschema = "p.toml"',
            "prompt 'a': schema: FOLDER/p.toml is not JSON: Expecting value: line 1 column 3 (char 2)",
            id="a schema that is not JSON",
        ),
        pytest.param(
            ONE + 'prompt = "x"\n[[configurations]]\nname = "c"\nwording = "w"',
            "configuration 'c': wording 'w' is not in the file; it has none",
            id="an unknown wording",
        ),
        pytest.param(
            ONE + 'prompt = "x"\n[[configurations]]\nname = "c"\n[[configurations]]\nname = "c"',
            "configuration 'c' stands twice; each must be unique",
            id="the same configuration twice",
        ),
        pytest.param(
            ONE + 'prompt = "x"\n[[configurations]]\nname = "c"\nparameters = { top_p = nan }',
            "configuration 'c': parameters.top_p: NaN and infinity are not JSON",
            id="a parameter that is no number",
        ),
    ],
)
def test_a_mistake_is_named_with_file_prompt_and_field(folder: Path, text: str, message: str) -> None:
    path = write(folder / "p.toml", text)
    with pytest.raises(UsageError) as raised:
        read_prompts(path)
    assert str(raised.value) == f"{path}: {message.replace('FOLDER', str(folder))}"


def test_a_file_that_cannot_be_read_is_named(folder: Path) -> None:
    (folder / "binary.toml").write_bytes(b"\x00\xff")
    (folder / "folder.yaml").mkdir()
    write(folder / "broken.yaml", "prompts: [\n")
    write(folder / "laughs.yaml", "a: &a [x, x]\nb: &b [*a, *a]\n")
    for name, message in {
        "missing.toml": "cannot be read: No such file or directory",
        "folder.yaml": "cannot be read: Is a directory",
        "binary.toml": "not UTF-8 text (byte 2)",
        "broken.yaml": "while parsing a flow node",
        "laughs.yaml": "aliases are not read",
        "p.ini": "a prompt file ends in .toml, .yaml, .yml",
    }.items():
        with pytest.raises(UsageError) as raised:
            read_prompts(folder / name)
        assert str(raised.value).startswith(f"{folder / name}: {message}")
        assert "\n" not in str(raised.value)


def test_the_shipped_prompts_cover_many_families_and_configurations_differ_in_one_thing() -> None:
    file = read_prompts(shipped_corpus() / "prompts.toml")
    assert len(file.prompts) >= 60
    assert len({prompt.family for prompt in file.prompts}) >= 10
    base, *others = file.configurations
    assert len(others) >= 3
    for other in others:
        differing = [name for name in ("hint", "wording") if getattr(other, name) != getattr(base, name)]
        differing += [key for key in base.parameters if other.parameters[key] != base.parameters[key]]
        assert len(differing) == 1, other.name
