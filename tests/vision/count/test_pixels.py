"""What a picture shows at points between and beyond its pixels."""

from __future__ import annotations

import numpy as np

from vision.count.pixels import pixels_at


def test_points_show_their_nearest_pixel_and_beyond_the_border_that_of_the_border() -> None:
    picture = np.arange(12).reshape(3, 4)
    points = np.array([[(0.4, 0.4), (1.6, 1.4)], [(-3.0, 9.0), (9.0, -3.0)]])
    assert pixels_at(picture, points).tolist() == [[0, 6], [8, 3]]


def test_a_picture_of_colours_shows_a_colour_at_each_point() -> None:
    picture = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
    shown = pixels_at(picture, np.array([(1.2, 0.0), (0.0, 0.9)]))
    assert (shown.tolist(), shown.dtype) == ([[3, 4, 5], [6, 7, 8]], np.uint8)
