"""promptfoo: results as JSON and as JSON Lines, of its OpenAI provider."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from chat_stub import CUT_OFF, ERROR, MODEL, REFUSED, REPLY, SYSTEM, TOOL_CALL, USER, chat_stub, text

CASES = ("reply", "cut off", "tool call", "refused", "JSON", "failed")
ANSWERS = ((REPLY,), (CUT_OFF,), (TOOL_CALL,), (REFUSED,), (text('{"a": 1}'),), (ERROR,))
OPTIONS = {"JSON": {"transform": "JSON.parse(output)"}}


def config(address: str) -> dict[str, Any]:
    """Return an evaluation in which each case gets the next answer."""
    settings = {"apiBaseUrl": address, "temperature": 0.2, "max_tokens": 200}
    return {
        "prompts": [json.dumps([SYSTEM, {**USER, "content": "Review this: {{topic}}"}])],
        "providers": [{"id": f"openai:chat:{MODEL}", "config": settings}],
        "tests": [{"vars": {"topic": topic}, "options": OPTIONS.get(topic, {})} for topic in CASES],
    }


def main(folder: Path, program: str) -> None:
    """Write the results as JSON and as JSON Lines."""
    with TemporaryDirectory() as home:
        environment = {
            **os.environ,
            "PROMPTFOO_CONFIG_DIR": home,
            "PROMPTFOO_DISABLE_TELEMETRY": "1",
            "PROMPTFOO_DISABLE_UPDATE": "1",
            "OPENAI_API_KEY": "none",
        }
        path = Path(home) / "promptfooconfig.json"
        outputs = [str(Path(home) / name) for name in ("promptfoo-3.json", "promptfoo.jsonl")]
        with chat_stub(*ANSWERS) as address:
            path.write_text(json.dumps(config(address)), encoding="utf-8")
            command = [program, "eval", "-c", str(path), "-j", "1", "--no-cache", "--no-table", "-o", *outputs]
            subprocess.run(command, env=environment, cwd=home, check=False)  # noqa: S603  fails, as one case does
        for name in outputs:
            text_of_it = Path(name).read_text(encoding="utf-8").replace(home, "/evaluation")
            (folder / Path(name).name).write_text(text_of_it, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
