"""Answer replies with one adapter, inside the environment of its library.

Reads a JSON list of replies on standard input and writes the version of the package and a list of answers:
`{"value": …}` or `{"refused": why}`. Arguments: the adapter's module and the package.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from importlib.metadata import version
from pathlib import Path


def main() -> None:
    sys.path.insert(0, str(Path(__file__).parent))
    adapter = import_module(sys.argv[1])
    answers: list[dict[str, object]] = []
    for raw in json.load(sys.stdin):
        try:
            value = adapter.extract(raw)
            json.dumps(value)
        except Exception as error:  # noqa: BLE001  each library has errors of its own, and all of them are refusals
            answers.append({"refused": type(error).__name__})
        else:
            answers.append({"value": value})
    json.dump({"version": version(sys.argv[2]), "answers": answers}, sys.stdout)


if __name__ == "__main__":
    main()
