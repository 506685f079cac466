"""Facts about players that are killed: their record is whole, and the session is free again."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.app.files.settings import Settings
from companion.app.wiring import resume_table
from companion.lab.trials.record_trial import SESSION, kill_and_resume, killable_player
from companion.table.record.store import Store
from companion.table.record.trouble import WriterTakenError


def test_a_player_killed_at_any_moment_loses_nothing_it_had_told(place: str, tmp_path: Path) -> None:
    found = 0
    kills = 5 if place.startswith("postgresql") else 15
    for kill in kill_and_resume(place, Settings(data_dir=str(tmp_path)), kills, seed=7):
        assert kill.sound
        assert kill.told >= found
        found = kill.found
    assert found > 10 * kills


def test_a_killed_player_lets_the_session_go(place: str, tmp_path: Path) -> None:
    settings = Settings(data_dir=str(tmp_path))
    with Store(place) as store:
        with killable_player(place, settings, seed=1) as (pid, said):
            said.recv()
            with pytest.raises(WriterTakenError, match=f"process {pid}"):
                resume_table(store, settings, SESSION)
        resume_table(store, settings, SESSION).close()
