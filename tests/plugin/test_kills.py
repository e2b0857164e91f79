"""A recording run may be killed at any moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kills import kill_while_recording

if TYPE_CHECKING:
    from pathlib import Path


def test_no_acknowledged_reply_is_lost(tmp_path: Path) -> None:
    assert kill_while_recording(tmp_path, times=5) == []
