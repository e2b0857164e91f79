"""Make the fixtures of importers by running the programs that write such files, offline.

Each program is installed from its released package into an environment of its own below the folder given, which is kept
for the next time; a stand-in on this machine answers for the model. Names after the folder choose among the writers:
python tests/writers/write_fixtures.py FOLDER [otlp …]
"""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).parent
FIXTURES = HERE.parent / "cases" / "importers"
PYTHON_WRITERS = {
    "langfuse": ("langfuse==5.2.0", "openai==3.60.0"),
    "langsmith": ("langsmith==0.15.1", "langchain-openai==1.8.1"),
    "lm_eval": ("lm-eval[api]==0.4.13",),
    "otlp": (
        "opentelemetry-instrumentation-openai-v2==2.4b0",
        "opentelemetry-util-genai==0.4b0",  # a newer one lacks what the instrumentation imports
        "opentelemetry-exporter-otlp-json-file==0.66b1",
        "openai==3.60.0",
        "httpx",
    ),
}
"""The packages of each writer; with their versions, the provenance of its fixtures."""
PROMPTFOO = "promptfoo@0.121.20"
RUNS = {"otlp": [["otlp-legacy.jsonl"], ["otlp-spans.jsonl"], ["otlp-events.jsonl"]]}
"""What a writer that has to start anew for each file is called with."""


def python_of(home: Path, packages: tuple[str, ...]) -> str:
    """Return the interpreter of an environment, which is made if it is not there."""
    python = home / "bin" / "python"
    if not python.exists():
        venv.create(home, with_pip=True)
        run(str(python), "-m", "pip", "install", "--quiet", *packages)
    return str(python)


def promptfoo_of(home: Path) -> str:
    """Return the program, which is installed if it is not there; it runs no scripts of its packages."""
    program = home / "node_modules" / ".bin" / "promptfoo"
    if not program.exists():
        home.mkdir(parents=True, exist_ok=True)
        run("npm", "install", "--prefix", str(home), "--ignore-scripts", "--no-audit", "--no-fund", PROMPTFOO)
    return str(program)


def run(*command: str) -> None:
    subprocess.run(command, check=True)  # noqa: S603  names from the tables above


def main(folder: Path, writers: list[str]) -> None:
    for name in writers or [*PYTHON_WRITERS, "promptfoo"]:
        script = str(HERE / f"write_{name}.py")
        if name == "promptfoo":
            run(sys.executable, script, str(FIXTURES), promptfoo_of(folder / name))
            continue
        python = python_of(folder / name, PYTHON_WRITERS[name])
        for arguments in RUNS.get(name, [[]]):
            run(python, script, str(FIXTURES), *arguments)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
