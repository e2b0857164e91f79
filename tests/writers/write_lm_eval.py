"""lm-evaluation-harness: `--log_samples` of a task that generates, twice each, and of one that scores likelihoods."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from chat_stub import CUT_OFF, MODEL, REPLY, SYSTEM, chat_stub, text

GENERATES = {
    "task": "review",
    "output_type": "generate_until",
    "repeats": 2,
    "doc_to_text": "{{question}}",
    "doc_to_target": "{{answer}}",
    "generation_kwargs": {"until": ["</s>"], "temperature": 0.2, "do_sample": True},
    "metric_list": [{"metric": "exact_match"}],
    "filter_list": [{"name": "all", "filter": [{"function": "take_first"}]}],
}
CHOOSES = {
    "task": "choice",
    "output_type": "multiple_choice",
    "doc_to_text": "{{question}}",
    "doc_to_choice": ["yes", "no"],
    "doc_to_target": 0,
    "metric_list": [{"metric": "acc"}],
}
SCORES = {
    "task": "rolling",
    "output_type": "loglikelihood_rolling",
    "doc_to_text": "",
    "doc_to_target": "{{question}}",
    "metric_list": [{"metric": "word_perplexity"}],
}
ROWS = [{"question": "Review this.", "answer": "ok"}, {"question": "And this?", "answer": "ok"}]

STAMP = "2025-05-01T12-34-56.789012"
"""The time that the names of the fixtures hold, whenever they were made."""


def run(folder: Path, *arguments: str) -> None:
    """Evaluate offline."""
    offline = {"HF_DATASETS_OFFLINE": "1", "HF_HOME": str(folder / "home"), "OPENAI_API_KEY": "none"}
    command = [sys.executable, "-m", "lm_eval", "--include_path", str(folder), "--output_path", str(folder / "out")]
    subprocess.run([*command, "--log_samples", *arguments], check=True, env={**os.environ, **offline})  # noqa: S603  our own arguments


def main(folder: Path) -> None:
    """Write the samples of each task and the results of the first."""
    with TemporaryDirectory() as name:
        place = Path(name)
        rows = place / "rows.jsonl"
        rows.write_text("\n".join(map(json.dumps, ROWS)) + "\n", encoding="utf-8")
        data = {"dataset_path": "json", "dataset_kwargs": {"data_files": {"test": str(rows)}}, "test_split": "test"}
        for task in (GENERATES, CHOOSES, SCORES):
            (place / f"{task['task']}.yaml").write_text(json.dumps({**task, **data}), encoding="utf-8")
        with chat_stub((REPLY,), (CUT_OFF,), (text("One."),), (text("Two."),)) as address:
            settings = f"model={MODEL},base_url={address}/chat/completions,num_concurrent=1,max_retries=1"
            chat = ("--apply_chat_template", "--system_instruction", SYSTEM["content"])
            run(place, "--model", "local-chat-completions", "--model_args", settings, "--tasks", "review", *chat)
        run(place, "--model", "dummy", "--tasks", "choice,rolling")
        for path in (*place.glob("out/*/samples_*.jsonl"), *place.glob(f"out/{MODEL}/results_*.json")):
            text_of_it = path.read_text(encoding="utf-8").replace(name, "/evaluation")
            what, _, _ = path.stem.rpartition("_")
            (folder / f"{what}_{STAMP}{path.suffix}").write_text(text_of_it, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
