"""The extractor board: which library takes what from the same replies, and where their values differ.

Each library is installed from its released package into an environment of its own below the folder given, which is
kept for the next time: python tests/bench/board/board.py FOLDER
"""

from __future__ import annotations

import json
import subprocess
import sys
import venv
from collections import Counter
from pathlib import Path
from typing import Any

from pytest_llmout import Ok, json_output

HERE = Path(__file__).parent
CASES = HERE.parents[1] / "cases"
PACKAGES = {
    "adapter_instructor": "instructor",
    "adapter_json_repair": "json-repair",
    "adapter_langchain_core": "langchain-core",
    "adapter_llama_index": "llama-index-core",
    "adapter_pydantic_ai": "pydantic-ai-slim",
}
"""Each adapter's package."""

Answer = dict[str, Any]


def replies() -> dict[str, str]:
    """Return the replies by id."""
    names = ("json.jsonl", "json_extraction.jsonl")
    lines = [line for name in names for line in (CASES / name).read_text(encoding="utf-8").split("\n") if line]
    return {case["id"]: case["raw"] for case in map(json.loads, lines)}


def ours(raw: str) -> Answer:
    match json_output(Any, extract="embedded").parse(raw):
        case Ok(value, _, _, notes):
            return {"value": value, "notes": notes}
        case failure:
            return {"refused": failure.reason}


def theirs(adapter: str, raws: list[str], folder: Path) -> tuple[str, list[Answer]]:
    """Return the version of a library and its answers, from its environment, which is made if it is not there."""
    home = folder / PACKAGES[adapter]
    python = home / "bin" / "python"
    if not python.exists():
        venv.create(home, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", PACKAGES[adapter]], check=True)  # noqa: S603  names from the table above
    command = [str(python), str(HERE / "answer.py"), adapter, PACKAGES[adapter]]
    done = subprocess.run(command, input=json.dumps(raws), capture_output=True, text=True, check=True)  # noqa: S603  likewise
    said: dict[str, Any] = json.loads(done.stdout)
    return said["version"], said["answers"]


def mark(answer: Answer, reference: Answer) -> str:
    """Compare an answer with ours: `=` the same, `!` another value, `+` only they accept, `-` only we, `.` neither."""
    match "value" in answer, "value" in reference:
        case True, True:
            return "=" if json.dumps(answer["value"]) == json.dumps(reference["value"]) else "!"
        case True, False:
            return "+"
        case False, True:
            return "-"
        case _:
            return "."


def is_silent(raw: str, answer: Answer) -> bool:
    """Say whether an answer of ours is not just what the whole reply says as JSON, and no note tells so."""
    if "value" not in answer or answer["notes"]:
        return False
    try:
        return bool(json.dumps(json.loads(raw)) != json.dumps(answer["value"]))
    except ValueError:
        return True


def main(folder: Path) -> None:
    texts = replies()
    reference = {name: ours(raw) for name, raw in texts.items()}
    marks: dict[str, dict[str, str]] = {}
    versions: dict[str, str] = {}
    for adapter, package in PACKAGES.items():
        version, answers = theirs(adapter, list(texts.values()), folder)
        versions[package] = version
        marks[package] = {name: mark(answer, reference[name]) for name, answer in zip(texts, answers, strict=True)}
    print("= same value   ! another value   + only they accept   - only we accept   . neither accepts\n")
    print(f"{'reply':<36}{''.join(f'{package:<18}' for package in marks)}ours")
    for name, answer in reference.items():
        ourselves = ", ".join(answer.get("notes", ())) or "as it stands" if "value" in answer else answer["refused"]
        print(f"{name:<36}{''.join(f'{column[name]:<18}' for column in marks.values())}{ourselves}")
    print()
    for package, column in marks.items():
        counts = Counter(column.values())
        print(f"{package:<18}{versions[package]:<10}{'  '.join(f'{sign} {counts[sign]:>3}' for sign in '=!+-.')}")
    silent = [name for name, answer in reference.items() if is_silent(texts[name], answer)]
    print(f"ours chose without a note in {len(silent)} of {len(texts)} replies {' '.join(silent)}".rstrip())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
