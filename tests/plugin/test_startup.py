"""A suite that does not use the plugin pays nothing for it."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

SLOW = {"pandas", "hypothesis", "syrupy", "dask", "pydantic", "pyromark", "scipy", "jinja2", "altair", "llm", "yaml"}
PROGRAM = """
import sys
import pytest

code = pytest.main([{arguments}, "-p", "pytest_llmout.plugin"])
print("loaded:", *sorted({{name.partition(".")[0] for name in sys.modules}}))
sys.exit(code)
"""


@pytest.mark.parametrize("arguments", ["'--help'", "'test_plain.py'"], ids=["help", "plain-suite"])
def test_it_imports_nothing_slow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: str) -> None:
    # syrupy and hypothesis are plugins themselves, and would load on their own account.
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    (tmp_path / "test_plain.py").write_text("def test_plain():\n    assert True\n", encoding="utf-8")
    program = PROGRAM.format(arguments=arguments)
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)  # noqa: S603  our own words

    loaded = set(done.stdout.rpartition("loaded:")[2].split())
    assert "pytest_llmout" in loaded
    assert not SLOW & loaded


def test_help_names_every_option(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess("--help")

    options = ("record-mode", "model", "strict", "repeat", "min-pass-rate", "report")
    result.stdout.fnmatch_lines_random([f"  --llmout-{option}*" for option in options])


def test_the_markers_are_declared(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_inprocess("--markers")

    result.stdout.fnmatch_lines_random(["@pytest.mark.llmout(*", "@pytest.mark.llm_corpus(*"])


@pytest.mark.parametrize(
    "name",
    [
        *("assert_accepts", "assert_canonical", "assert_failure_kind", "assert_same_dialect"),
        *("llm_reply", "llm_snapshot", "llmout", "llmout_model", "llmout_redact"),
    ],
)
def test_every_fixture_says_what_it_is(pytester: pytest.Pytester, name: str) -> None:
    result = pytester.runpytest_inprocess("--fixtures", "-p", "no:syrupy")

    result.stdout.re_match_lines([rf"{name}\b.*-- .*", r"    \S"], consecutive=True)
