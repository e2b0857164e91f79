from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_llmout.harness.file_name import fitting_name, quoted_name, unquoted_name
from pytest_llmout.harness.places import recording_path, recordings_without_module, recordings_without_test

NAMES = st.text(st.characters(), max_size=400)


@given(NAMES)
def test_a_file_name_is_ascii_short_and_safe(name: str) -> None:
    quoted = quoted_name(fitting_name(name))

    assert quoted.isascii()
    assert len(quoted) <= 230
    assert not set(quoted) & set('/\\:*?"<>|\0')


@given(NAMES, NAMES)
def test_two_names_share_no_file(one: str, other: str) -> None:
    assert (quoted_name(fitting_name(one)) == quoted_name(fitting_name(other))) == (one == other)


@given(NAMES)
def test_quoting_is_undone(name: str) -> None:
    assert unquoted_name(quoted_name(name)) == name


def test_recordings_stand_beside_the_module() -> None:
    path = recording_path(Path("tests/test_tea.py"), "TestTea.test_brew[日本/de]")

    assert path == Path("tests/__recordings__/test_tea/TestTea.test_brew[%E6%97%A5%E6%9C%AC%2Fde].jsonl")


@pytest.mark.parametrize("test", ["test_a", "test_b[1/2]", "x" * 500])
def test_a_recording_without_its_test_or_module_is_found(tmp_path: Path, test: str) -> None:
    module = tmp_path / "test_tea.py"
    path = recording_path(module, test)
    path.parent.mkdir(parents=True)
    path.touch()

    assert list(recordings_without_test(module, [test, "test_c"])) == []
    assert list(recordings_without_test(module, ["test_c"])) == [path]
    assert list(recordings_without_module(tmp_path)) == [path]
    module.touch()
    assert list(recordings_without_module(tmp_path)) == []
