"""The record's file fails in play: it is noticed and said, nothing that was accepted is lost, looking goes on."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import pytest
from table_kit import begin, play

from companion.core.errors import CompanionError
from companion.table import session as session_module
from companion.table.record.records import LATEST_MS
from companion.table.record.store import Store
from companion.table.record.trouble import StoreError


def taken_away(place: Path, how: str) -> None:
    if how == "removed":
        place.unlink()
    elif how == "replaced":
        other = place.with_name("other.sqlite")
        with Store(other):
            pass
        other.replace(place)
    else:
        shutil.rmtree(place.parent)


@pytest.mark.parametrize("how", ["removed", "replaced", "folder removed"])
def test_a_record_that_is_taken_away_is_noticed_and_saved_elsewhere(tmp_path: Path, how: str) -> None:
    place = tmp_path / "data" / "record.sqlite"
    with Store(place) as store, begin(store) as session:
        play(session, "A hide 2")
        taken_away(place, how)
        with pytest.raises(StoreError, match="removed or replaced") as error:
            play(session, "B hide 3")
        assert session.number == 2
        assert "removed or replaced" in session.moment.trouble
        with pytest.raises(StoreError, match="removed or replaced"):  # and again
            play(session, "B hide 3")
        saved = Path(str(error.value.message).rpartition(" in ")[2])
        with Store(saved) as kept:
            assert [r.number for r in kept.records("toy-1")] == [1, 2]


def test_a_record_that_is_taken_away_is_noticed_before_anybody_acts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_module, "LOOK_S", 0.02)
    place = tmp_path / "record.sqlite"
    with Store(place) as store, begin(store) as session:
        play(session, "A hide 2")
        hidden = place.rename(tmp_path / "hidden.sqlite")
        wait = threading.Event()
        while not session.moment.trouble:
            wait.wait(0.01)
        hidden.rename(place)
        while session.moment.trouble:
            wait.wait(0.01)
        assert play(session, "B hide 3").accepted


@pytest.mark.parametrize("clock_ms", [-1, -(10**15), LATEST_MS, 10**18])
def test_a_clock_that_cannot_be_right_is_refused_before_anything_is_written(tmp_path: Path, clock_ms: int) -> None:
    now = [1_000]
    with Store(tmp_path / "record.sqlite") as store, begin(store, clock_ms=lambda: now[0]) as session:
        now[0] = clock_ms
        with pytest.raises(CompanionError, match="clock is wrong"):
            play(session, "A hide 2")
        now[0] = 2_000
        assert play(session, "A hide 2").records == (2,)
        assert [r.number for r in store.records("toy-1")] == [1, 2]


READ = """
import os, sys
from companion.app.cli import main
os.environ["COMPANION_DATA_DIR"], locked = sys.argv.pop(1), os.environ["COMPANION_DATA_DIR"]
main()  # everything is imported before the rights go
os.environ["COMPANION_DATA_DIR"] = locked
if os.geteuid() == 0:
    os.setegid(65534)
    os.seteuid(65534)
print("locked:")
main()
"""


@pytest.mark.parametrize("asked", [["status"], ["verify", "trial"], ["export", "trial"], ["status", "trial"]])
def test_a_record_in_a_folder_that_may_only_be_read_is_read(
    request: pytest.FixtureRequest, asked: list[str]
) -> None:
    from companion.app.files.settings import Settings
    from companion.app.wiring import begin_table
    from companion.lab.trials.record_trial import GAME

    # not below pytest's own folder, which every run of pytest closes to others again
    open_to_all = Path(tempfile.mkdtemp())
    request.addfinalizer(lambda: shutil.rmtree(open_to_all))
    folder, other = open_to_all / "data", open_to_all / "other"
    for place in (folder, other):
        with Store(place / "sessions.sqlite") as store:
            begin_table(store, Settings(data_dir=str(place)), GAME).close()
    for path in (folder, *folder.iterdir()):
        path.chmod(0o555 if path.is_dir() else 0o444)
    open_to_all.chmod(0o755)
    done = subprocess.run(
        [sys.executable, "-c", READ, str(other), *asked], capture_output=True, text=True, timeout=120, check=False,
        env={**os.environ, "COMPANION_DATA_DIR": str(folder), "HOME": str(open_to_all)},
    )
    assert done.returncode == 0, done.stderr
    assert "trial" in done.stdout.partition("locked:")[2]
    for path in (folder, *folder.iterdir()):
        path.chmod(0o755)
