from __future__ import annotations

from typing import TYPE_CHECKING

from killed_runs import survive_kills

if TYPE_CHECKING:
    from pathlib import Path

KILLS = 200


def test_two_hundred_kills_lose_no_acknowledged_event(tmp_path: Path) -> None:
    repairs = survive_kills(tmp_path / "run.jsonl", KILLS)
    print(f"\nrun record: {KILLS} kills, {repairs} of them left an unfinished event, no acknowledged event lost")
    assert repairs
