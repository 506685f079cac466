"""The width of an edge fits the blur that was put on it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.sharpness import SOFT_PX, edge_width_px
from vision.locate.markers import MarkerLayout

LAYOUT = MarkerLayout()
NORMAL_WIDTH = 2 * 1.2815516
"""From 10 to 90 % of a step under a normal blur of deviation 1: twice the 0.9 quantile."""


def sheet(light: tuple[int, int] = (20, 220)) -> np.ndarray:
    """A marker of 160 px on paper: (400, 400) uint8."""
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, LAYOUT.dictionary))
    marker = cv2.aruco.generateImageMarker(dictionary, min(LAYOUT.centres_mm), 160, borderBits=1)
    page = np.full((400, 400), 255, np.uint8)
    page[120:280, 120:280] = marker
    return np.interp(page, (0, 255), light).astype(np.uint8)


@pytest.mark.parametrize("deviation_px", [1.0, 1.5, 2.0, 3.0])
def test_width_is_that_of_the_blur(deviation_px: float) -> None:
    width = edge_width_px(cv2.GaussianBlur(sheet(), (0, 0), deviation_px), LAYOUT)
    assert width == pytest.approx(NORMAL_WIDTH * deviation_px, abs=0.5)  # steps of 0.25 px at both ends


def test_sharp_and_soft_pictures_lie_on_their_sides_of_the_limit() -> None:
    sharp, soft = (edge_width_px(cv2.GaussianBlur(sheet(), (0, 0), s), LAYOUT) for s in (0.7, 2.5))
    assert sharp is not None
    assert soft is not None
    assert sharp < SOFT_PX < soft


def test_nothing_is_said_without_a_marker() -> None:
    assert edge_width_px(np.full((200, 200), 128, np.uint8), LAYOUT) is None


def test_nothing_is_said_of_a_picture_too_dim() -> None:
    assert edge_width_px(sheet((20, 50)), LAYOUT) is None
