"""What the soak says of memory, and the film's camera."""

from __future__ import annotations

import time
from pathlib import Path

import cv2
import numpy as np

from companion.lab.simulators.film_camera import FilmCamera
from companion.lab.trials.soak_trial import memory_figures
from vision.sources.grabbers import MjpegGrabber


def test_memory_that_grows_is_told_an_hour() -> None:
    samples = [(n / 10, 200.0 + 5.0 * n / 10) for n in range(41)]
    figures = memory_figures(samples)
    assert figures["memory_mb_an_hour"] == 5.0
    assert figures["memory_mb_last"] == 220.0


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
