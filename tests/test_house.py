"""What holds for the package as a whole."""

from __future__ import annotations

import ast
import doctest
import importlib
import importlib.util
import pkgutil
import re
import subprocess
import sys
from importlib.metadata import metadata, version
from pathlib import Path

import pytest

import pytest_llmout

PACKAGE = Path(pytest_llmout.__file__).parent
CHECKOUT = Path(__file__).parents[1]
HEAVY = {
    "altair",
    "commonmark",
    "dask",
    "hypothesis",
    "jinja2",
    "jsonschema",
    "llm",
    "pandas",
    "scipy",
    "syrupy",
    "tqdm",
}

LAYERS = (
    ("errors", "lookup", "counted", "file_lock", "appending"),
    ("contract",),
    ("accept",),
    ("outputs",),
    ("boundary",),
    ("corpus", "reply_files"),
    ("dialect",),
    ("conformance", "strategies"),
    ("assertions", "snapshot", "harness"),
    ("hookspecs", "session"),
    ("repeated",),
    ("plugin", "commands", "cli"),
)
"""From the first to the last: a module imports from its own layer and the ones before it, never from one after."""

RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}


def modules() -> list[str]:
    found = pkgutil.walk_packages([str(PACKAGE)], "pytest_llmout.")
    return sorted(module.name for module in found)


def imports_of(module: str) -> set[str]:
    spec = importlib.util.find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    tree = ast.parse(Path(spec.origin).read_bytes())
    froms = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module}
    names = {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    return {name for name in froms | names if name.startswith("pytest_llmout.")}


def part(module: str) -> str:
    return module.split(".")[1]


def test_the_public_names() -> None:
    assert pytest_llmout.__all__ == [
        "Accepted",
        "AnswerEvent",
        "Attempt",
        "Failure",
        "FailureKind",
        "LlmOut",
        "MarkdownStream",
        "Ok",
        "OutputType",
        "Rejected",
        "RunRecord",
        "UsageError",
        "accept_output",
        "accept_output_async",
        "answer_event",
        "anthropic_mode",
        "assert_accepts",
        "assert_canonical",
        "assert_failure_kind",
        "assert_same_dialect",
        "canonicalize_markdown",
        "choice_output",
        "code_output",
        "correction",
        "gbnf_mode",
        "gemini_mode",
        "json_output",
        "lines_output",
        "markdown_edits",
        "markdown_output",
        "ollama_mode",
        "openai_mode",
        "parse_reflection",
        "read_events",
        "redact",
    ]
    assert all(hasattr(pytest_llmout, name) for name in pytest_llmout.__all__)


@pytest.mark.parametrize("module", modules())
def test_layers_import_one_way(module: str) -> None:
    backwards = {name for name in imports_of(module) if RANK[part(name)] > RANK[part(module)]}
    assert not backwards


@pytest.mark.parametrize("module", modules())
def test_no_module_shadows_the_standard_library(module: str) -> None:
    name = module.rsplit(".", 1)[-1]
    assert name not in sys.stdlib_module_names - {"profile"}  # the word of the field, and of the command


@pytest.mark.parametrize("module", ["pytest_llmout", "pytest_llmout.cli", "pytest_llmout.plugin"])
def test_importing_it_imports_nothing_heavy(module: str) -> None:
    program = f"import sys, {module}; print(*{{name.partition('.')[0] for name in sys.modules}})"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)  # noqa: S603  our own words
    assert not HEAVY & set(loaded.stdout.split())


@pytest.mark.parametrize("module", ["pytest_llmout", *modules()])
def test_examples_in_docstrings(module: str) -> None:
    if module.endswith(".smollm2"):
        pytest.importorskip("llama_cpp", reason="the model's runtime is built from source, only recording needs it")
    loaded = importlib.import_module(module)
    assert doctest.testmod(loaded).failed == 0


def test_the_newest_heading_of_the_changelog_is_the_version() -> None:
    headings = re.findall(r"^## (\S+)", (CHECKOUT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert headings[0] == version("pytest-llmout")


def test_the_wheel_stays_light() -> None:
    required = [need for need in metadata("pytest-llmout").get_all("Requires-Dist", []) if "extra ==" not in need]
    assert sorted(re.split(r"[<>=~]", need)[0] for need in required) == ["pydantic", "pyromark", "pytest"]


def test_ci_runs_the_test_command_of_the_readme() -> None:
    readme = (CHECKOUT / "README.md").read_text("utf-8")
    commands = re.findall(r"^python3 -m venv .*tox run$", readme, re.MULTILINE)
    assert len(commands) == 1
    assert commands[0] in (CHECKOUT / ".ci" / "run").read_text("utf-8").split("\n")
