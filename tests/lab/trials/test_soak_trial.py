"""What the soak says of memory, and the film's camera."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.core.errors import DeviceError
from companion.lab.simulators.film_camera import FRAMES_A_SECOND, FilmCamera
from companion.lab.trials.live_trial import Arrivals, is_after, is_said, quantile_s
from companion.lab.trials.soak_trial import memory_figures
from vision.sources.grabbers import MjpegGrabber


def test_where_no_act_came_in_time_there_is_no_time_to_tell() -> None:
    assert quantile_s(np.array([]), 0.95) is None
    assert quantile_s(np.array([0.5, 0.7]), 0.5) == 0.6


def test_memory_that_grows_is_told_an_hour() -> None:
    samples = [(n / 10, 200.0 + 5.0 * n / 10) for n in range(41)]
    figures = memory_figures(samples)
    assert figures["memory_mb_an_hour"] == 5.0
    assert figures["memory_mb_last"] == 220.0
    assert figures["memory_growth"] == round(16.0 / 204.0, 3)


def test_what_is_loaded_in_the_beginning_is_no_growth() -> None:
    samples = [(n / 10, 100.0 + 30.0 * min(n, 8)) for n in range(41)]
    assert abs(memory_figures(samples)["memory_mb_an_hour"]) < 0.01


def test_the_films_camera_shows_what_it_is_told_and_says_since_when(tmp_path: Path) -> None:
    picture = tmp_path / "a.png"
    cv2.imwrite(str(picture), np.full((48, 64, 3), 90, np.uint8))
    with FilmCamera() as camera:
        grabber = MjpegGrabber(camera.url)
        before_s = time.monotonic()
        assert before_s <= camera.show(picture) <= time.monotonic()
        assert grabber.advance()
        first, _ = grabber.decode()
        assert grabber.advance()
        second, _ = grabber.decode()
        grabber.close()
    assert abs(float(first.mean()) - 90) < 2
    assert (first != second).any()


def test_where_nothing_changes_frames_come_faster(tmp_path: Path) -> None:
    picture = tmp_path / "a.png"
    cv2.imwrite(str(picture), np.full((48, 64, 3), 90, np.uint8))
    with FilmCamera() as camera:
        grabber = MjpegGrabber(camera.url)
        threading.Thread(target=_read_on, args=(grabber,), daemon=True).start()
        begun_s, shown = camera.show(picture), camera.frames
        assert camera.rest(300, rate=3000.0) - begun_s < 0.8 * 300 / FRAMES_A_SECOND
        assert camera.frames == shown + 300


def _read_on(grabber: MjpegGrabber) -> None:
    with suppress(DeviceError):  # the camera goes when the test is over
        while grabber.advance():
            pass


def test_what_a_page_was_told_before_is_not_taken_for_the_answer() -> None:
    page = Arrivals([(1.0, "record", {"number": 7}), (3.0, "record", {"number": 8})])
    assert page.wait(partial(is_after, 6), since_s=2.0, latest_s=0.0) == 3.0
    page.forget()
    assert page.wait(partial(is_after, 6), since_s=0.0, latest_s=0.0) is None


@pytest.mark.parametrize(
    ("kind", "data", "said"),
    [
        ("record", {"number": 7}, True),
        ("record", {"number": 6}, False),  # of before
        ("devices", {"camera": {"in_the_middle": "B"}}, True),
        ("devices", {"camera": {"in_the_middle": None}}, False),
        ("devices", {"camera": None}, False),
    ],
)
def test_a_page_says_what_it_makes_of_an_act_by_a_record_or_by_who_is_in_the_middle(
    kind: str, data: dict[str, Any], said: bool
) -> None:
    assert is_said(6, kind, data) is said
