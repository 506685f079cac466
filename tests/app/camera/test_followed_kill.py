"""A followed table whose process is killed at any moment is back in the same state and says what it knows."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest
from followed_player import MOMENTS, PLAYERS, SESSION, script
from followed_table import ENVYRA, sample_rules

from companion.app.camera.watch.policy import Policy
from companion.app.camera.watch.table_watch import TableWatch
from companion.app.files.sessions import open_store
from companion.app.files.settings import Settings
from companion.app.wiring import resume_table
from companion.core.events import RecordKind
from companion.table.tracking.judging.reconcile import DEFAULT_DEMANDS

SUPPORT = Path(__file__).parents[2] / "support"
ROOT = Path(__file__).parents[3]
SEED = 4
BACK_S = 3.0
"""Within this time a table must be back: of the processor, so that a busy machine does not matter, without the start of
Python."""


def play_until(folder: Path, boards: str, most: int, moment: str, times: int) -> list[str]:
    """Let a player play until the moment has come so often, and kill it there; what it had said."""
    paths = os.pathsep.join(map(str, (*SUPPORT.iterdir(), ROOT)))
    environment = {**os.environ, "PYTHONPATH": paths, "PYTHONHASHSEED": "0"}
    player = str(SUPPORT / "tables" / "followed_player.py")
    command = [sys.executable, player, str(folder), str(SEED), boards, str(most), moment]
    process = subprocess.Popen(
        [*command, str(times)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
    )
    assert process.stdout is not None
    said: list[str] = []
    try:
        for line in process.stdout:
            said.append(line.strip())
            if sum(one.startswith(moment) for one in said) == times or line.startswith("done"):
                break
    finally:
        process.kill()
        process.communicate()
    return said


def recorded(settings: Settings) -> list[str]:
    with open_store(settings) as store:
        return [dict(r.body)["text"] for r in store.records(SESSION) if r.kind is RecordKind.EVENT]


@pytest.mark.parametrize("boards", ["told", "unread"])
def test_killed_at_any_moment_it_is_back_with_everything_it_had_told_and_nothing_twice(
    tmp_path: Path, boards: str
) -> None:
    settings, chance = Settings(data_dir=str(tmp_path)), Random(SEED)
    rules = sample_rules(PLAYERS)
    steps = list(script(rules, SEED, told=boards == "told"))
    most = next(n for n, (text, view) in enumerate(steps) if n > 60 and view is None)  # a few rounds
    for moment in (*MOMENTS, "accepted"):
        said = play_until(tmp_path, boards, most, moment, chance.randrange(1, 4))
        assert said[-1].startswith(moment), said
        told = max((int(line.split()[1]) for line in said if line.startswith("accepted")), default=0)
        begun_s = time.process_time()
        with open_store(settings) as store:
            table = resume_table(store, settings, SESSION)
            watch = TableWatch(ENVYRA, table.session, Policy(DEFAULT_DEMANDS))
            took_s = time.process_time() - begun_s
            assert took_s < BACK_S
            assert table.session.number >= told  # what was told is there
            assert table.session.snapshot(None)["trouble"] == ""
            assert watch.tracker.state == watch.acts.state
            table.close()
    said = play_until(tmp_path, boards, most, "never", 1)
    assert said[-1].startswith("done")
    moved = [text for text in recorded(settings) if text.split()[0] in "AB" and " move " in text]
    wanted = [text for text in recorded_without_kills(tmp_path / "calm", boards, most) if " move " in text]
    assert moved == wanted
    assert recorded(settings) == recorded(Settings(data_dir=str(tmp_path / "calm")))


def recorded_without_kills(folder: Path, boards: str, most: int) -> list[str]:
    """What is in the record when nobody kills the player."""
    folder.mkdir()
    assert play_until(folder, boards, most, "never", 1)[-1].startswith("done")
    return recorded(Settings(data_dir=str(folder)))
