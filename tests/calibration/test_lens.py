"""The lens from views of the printed board: against the true camera, live, and refused where it cannot be."""

from __future__ import annotations

import json
from functools import cache

import cv2
import numpy as np
import pytest
from small_set import SMALL_SET

from calibration.lens import LensBoard, LensCollector, calibrate_lens, find_board
from companion.core.errors import DataError

FOLDER = SMALL_SET / "calibration"
HELD_OUT_PX = 0.2  # asked of a calibration
FOCAL_SHARE = 0.02  # six views; the 0.5 % asked for are measured on sixteen by `companion calibrate lens`


@cache
def views():
    truth = json.loads((FOLDER / "truth.json").read_text())["board"]
    board = LensBoard(tuple(truth["squares"]), truth["square_mm"], truth["marker_mm"], truth["dictionary"])
    pictures = [cv2.imread(str(path)) for path in sorted(FOLDER.glob("*.jpg"))]
    return board, pictures, [find_board(p, board, f"{n}") for n, p in enumerate(pictures)]


def test_the_board_is_found_in_every_view():
    assert all(view is not None for view in views()[2])


def test_lens_agrees_with_the_true_camera():
    board, _, found = views()
    result = calibrate_lens(found, board)
    truth = np.array(json.loads((FOLDER / "truth.json").read_text())["truth"]["matrix"])
    assert result.held_out_px < HELD_OUT_PX
    assert result.camera.measured
    assert result.camera.focal_px == pytest.approx(truth[0, 0], rel=FOCAL_SHARE)


def test_too_few_views_are_refused_with_what_to_do():
    board, _, found = views()
    with pytest.raises(DataError, match="at least 6 are needed"):
        calibrate_lens(found[:3], board)


def test_views_of_different_sizes_are_refused():
    board, pictures, found = views()
    small = find_board(cv2.resize(pictures[0], None, fx=0.75, fy=0.75), board)
    with pytest.raises(DataError, match="different sizes"):
        calibrate_lens([*found, small], board)


def test_live_views_are_kept_once_and_say_what_is_missing():
    board, pictures, _ = views()
    collector = LensCollector(board)
    assert collector.see(pictures[0])
    assert not collector.see(pictures[0])  # nothing new in it
    before = collector.coverage()
    for picture in pictures[1:]:
        collector.see(picture)
    after = collector.coverage()
    assert after.views > before.views
    assert after.share > before.share
    assert not after.complete
    assert after.advice


def test_a_picture_without_a_board_is_no_view():
    board, _, _ = views()
    assert find_board(np.full((480, 640, 3), 128, np.uint8), board) is None
