"""Squares are found by their outlines, exact to a part of a pixel, corners rounded or sides notched."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.locate.quads import find_quads

FINE = 8


def square(turn_deg: float, notch_px: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """A picture of a bright square of 60 px with round corners, and its (4, 2) corners; one side has a notch."""
    a = np.deg2rad(turn_deg)
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    unit = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float)
    middle = np.array([160.3, 120.7])
    large = np.full((240 * FINE, 320 * FINE), 60, np.uint8)

    def draw(points: np.ndarray, level: int, rounded: int) -> None:
        at = np.round(((points @ turn.T + middle) + 0.5) * FINE).astype(np.int32)
        cv2.fillConvexPoly(large, at, level)
        if rounded:
            cv2.polylines(large, [at], True, level, rounded)

    draw(unit * 26, 200, 8 * FINE)  # the pen's round tip is the corner
    notch = np.array([[2, -31], [7, -31], [7, -30 + notch_px], [2, -30 + notch_px]], float)
    if notch_px:
        draw(notch, 60, 0)
    small = cv2.resize(large, (320, 240), interpolation=cv2.INTER_AREA)
    return cv2.cvtColor(small, cv2.COLOR_GRAY2BGR), unit * 30 @ turn.T + middle


@pytest.mark.parametrize(("turn_deg", "notch_px"), [(0, 0), (3, 0), (28, 0), (44, 0), (3, 3), (28, 3)])
def test_corners_are_where_the_sides_meet(turn_deg: float, notch_px: float) -> None:
    image, corners = square(turn_deg, notch_px)
    best = find_quads(image)[0]
    assert best.votes >= 4
    off = min(float(np.abs(np.roll(corners, k, axis=0) - best.corners_px).max()) for k in range(4))
    assert off < 1.2  # the thresholds grow what is bright by most of a pixel


def test_a_picture_without_squares_has_none() -> None:
    image = np.full((240, 320, 3), 90, np.uint8)
    assert find_quads(image) == []
    cv2.circle(image, (160, 120), 40, (200, 220, 240), -1)
    assert find_quads(image) == []
