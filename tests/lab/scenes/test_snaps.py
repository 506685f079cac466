"""Snaps: pieces of any shape lie where they are drawn, and a slanted picture shows its near edge less broad."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.lab.scenes.snap_camera import slant, two_lights
from companion.lab.scenes.snap_things import disc, oval
from companion.lab.scenes.wide_pieces import lay_shape


@pytest.mark.parametrize(
    ("radii", "turned", "breadth", "height"),
    [(disc(), 0.4, 40, 40), (oval(2.0), 0.0, 40, 20), (oval(2.0), np.pi / 2, 20, 40)],
    ids=["disc", "oval", "oval, turned"],
)
def test_a_piece_is_as_large_as_its_shape(radii: np.ndarray, turned: float, breadth: int, height: int) -> None:
    linear = np.zeros((80, 90, 3), np.float32)
    lay_shape(linear, np.ones((160, 160, 3), np.float32), np.array([45.0, 38.0]), 20.0, radii, turned, True)
    rows, cols = np.nonzero(linear[..., 0] > 0.5)
    assert abs(np.ptp(cols) + 1 - breadth) <= 1
    assert abs(np.ptp(rows) + 1 - height) <= 1
    assert [cols.mean(), rows.mean()] == pytest.approx([45, 38], abs=0.5)


def test_a_slanted_picture_shows_less_of_the_near_edge() -> None:
    far, near = cv2.perspectiveTransform(np.array([[[20.0, 0.0], [20.0, 100.0]]]), slant((100, 100), 0.4))[0]
    assert [*far, *near] == pytest.approx([20, 0, 0, 100])


def test_only_mixed_light_differs_between_the_sides() -> None:
    grey = np.full((20, 40, 3), 0.5, np.float32)
    lamp, mixed = two_lights(grey, False, 0.0), two_lights(grey, True, 0.0)
    assert np.ptp(lamp[..., 0]) < 1e-6
    assert mixed[:, -1, 0].mean() > 1.2 * mixed[:, 0, 0].mean()
