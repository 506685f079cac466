"""A camera whose tiles are still being learnt: the table is open, pages say so, and closing does not wait for it."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from unittest.mock import Mock

import cv2
import numpy as np
import pytest
from small_set import SMALL_SET

from companion.app.camera.camera_thread import CameraThread
from companion.app.camera.known_box import KnownBox
from companion.app.dashboard import devices
from companion.app.dashboard.devices import LiveCamera
from companion.app.files.sessions import open_store
from companion.app.files.settings import Settings
from companion.app.game.new_game import NewGame
from companion.app.game.open_table import Table
from companion.app.wiring import attach_camera, begin_table
from companion.core.errors import DataError
from companion.core.types import SeatInfo
from vision.tables.table_reader import TableReader

LONG_S = 20.0
"""Longer than anything takes here, shorter than anybody waits for a test."""
SHORT_S = 0.1
JPEG_LEVELS = 3
"""What compressing an even gray may change."""


@pytest.fixture
def learnt(monkeypatch: pytest.MonkeyPatch) -> Event:
    """The tiles are learnt only when this is set."""
    known, learn = Event(), KnownBox.reader

    def reader(self: KnownBox, *given) -> TableReader:
        assert known.wait(LONG_S)
        return learn(self, *given)

    monkeypatch.setattr(KnownBox, "reader", reader)
    return known


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    settings = Settings(data_dir=str(tmp_path))
    seats = (SeatInfo("Žofia", "purple"), SeatInfo("Ján", "gray"))
    with open_store(settings) as store:
        opened = begin_table(store, settings, NewGame("envyra", seats, catalogue=str(SMALL_SET / "catalogue.json")))
        yield opened
        opened.close()


def followed(table: Table, tmp_path: Path) -> CameraThread:
    return attach_camera(table, Settings(data_dir=str(tmp_path)), "browser", known=KnownBox(SMALL_SET))


def test_a_camera_gets_ready_while_the_table_goes_on(learnt: Event, table: Table, tmp_path: Path) -> None:
    live = followed(table, tmp_path)
    page, news = LiveCamera(live, "browser"), table.session.subscribe()
    assert (page.look().view, page.picture(overlay=True), page.health().state) == ("getting ready", None, "wait")
    learnt.set()
    end_s = time.monotonic() + LONG_S
    while page.look().view != "waiting" and time.monotonic() < end_s:
        news.get(SHORT_S, nudged=True)
    assert page.look().view == "waiting"


def test_what_a_camera_sees_is_shown_raw_while_it_gets_ready(learnt: Event, table: Table, tmp_path: Path) -> None:
    live = followed(table, tmp_path)
    page, gray = LiveCamera(live, "browser"), np.full((48, 64, 3), 70, np.uint8)
    live.loop.source.push(cv2.imencode(".jpg", gray)[1].tobytes())
    for overlay in (True, False):
        picture = page.picture(overlay=overlay)
        assert picture is not None
        shown = cv2.imdecode(np.frombuffer(picture.jpeg, np.uint8), cv2.IMREAD_COLOR)
        assert np.abs(shown.astype(int) - 70).max() <= JPEG_LEVELS
    assert (page.look().view, page.look().size) == ("getting ready", (64, 48))
    assert page.frame().shape == gray.shape
    table.close()
    learnt.set()
    assert live.ended.wait(LONG_S)


def test_a_table_is_closed_while_its_camera_gets_ready(learnt: Event, table: Table, tmp_path: Path) -> None:
    live = followed(table, tmp_path)
    table.close()
    assert not live.ended.is_set()
    learnt.set()
    assert live.ended.wait(LONG_S)
    assert (live.snapshot.view.value, live.snapshot.source) == ("getting ready", None)  # it has looked at nothing


ENDS_MEANWHILE = """
import time
from unittest.mock import Mock
from companion.app.camera.camera_thread import CameraThread
from companion.app.camera.picture_loop import SourceLoop

def eyes():
    time.sleep(0.3)
    print("learnt")

camera = CameraThread(SourceLoop(eyes, Mock(), Mock()), Mock())
camera.start()
camera.stop()
print("closed")
"""


def test_a_program_that_ends_meanwhile_ends_once_its_tiles_are_learnt() -> None:
    done = subprocess.run([sys.executable, "-c", ENDS_MEANWHILE], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["closed", "learnt"]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_tiles_that_cannot_be_learnt_are_said_as_whatever_ends_a_camera(
    monkeypatch: pytest.MonkeyPatch, table: Table, tmp_path: Path
) -> None:
    monkeypatch.setattr(KnownBox, "reader", Mock(side_effect=DataError("r1 has no picture", where="face book")))
    live = followed(table, tmp_path)
    for thread in threading.enumerate():
        if thread.name == "camera":
            thread.join(LONG_S)  # its exception is told after it has ended
    assert live.ended.is_set()
    health = LiveCamera(live, "browser").health()
    assert (health.state, health.text) == ("bad", "DataError: face book: r1 has no picture")


def test_a_tally_learns_its_faces_when_it_is_first_read(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Path] = []
    monkeypatch.setattr(devices, "SetReader", lambda scenes: made.append(scenes.folder))
    devices.scene_tally(SMALL_SET)
    assert made == []
