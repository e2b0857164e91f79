"""Recording runs that are killed: nothing that a test was given may be missing afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kills import kill_while_recording

if TYPE_CHECKING:
    from pathlib import Path


def test_two_hundred_kills_lose_no_acknowledged_reply(tmp_path: Path) -> None:
    assert kill_while_recording(tmp_path, times=200) == []
