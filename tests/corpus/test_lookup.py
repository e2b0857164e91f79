from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pytest_llmout import contract
from pytest_llmout.errors import UsageError
from pytest_llmout.lookup import load_attribute

if TYPE_CHECKING:
    from pathlib import Path


def test_an_attribute_may_be_dotted() -> None:
    assert load_attribute("pytest_llmout.contract:FailureKind.SYNTAX") is contract.FailureKind.SYNTAX


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ("json", "'json' is not of the form module:attribute"),
        ("json:", "'json:' is not of the form module:attribute"),
        (".json:x", "'.json:x' is not of the form module:attribute"),
        ("a b:c", "'a b:c' is not of the form module:attribute"),
        ("json.decoder.x:y", "no module named 'json.decoder.x'"),
        ("jsonn:loads", "no module named 'jsonn'; there is json"),
        ("json:lods", "module json has no attribute 'lods'; there is loads"),
        ("broken_module:x", "module broken_module cannot be imported: invalid syntax (broken_module.py, line 1)"),
        ("wrong_module:x", "module wrong_module cannot be imported: cannot import name 'nothing' from 'json'"),
        ("needy_module:x", "module needy_module needs the package no_such_package, which is not installed"),
    ],
)
def test_a_failed_look_up_says_what_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reference: str, message: str
) -> None:
    (tmp_path / "broken_module.py").write_text("x = = 1\n", encoding="utf-8")
    (tmp_path / "wrong_module.py").write_text("from json import nothing\n", encoding="utf-8")
    (tmp_path / "needy_module.py").write_text("import no_such_package\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(UsageError) as raised:
        load_attribute(reference)
    assert str(raised.value).startswith(message)
