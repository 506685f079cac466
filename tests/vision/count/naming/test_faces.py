"""Candies are named by their faces: shade and the room that a dome mirrors at its rim tell no colour."""

from __future__ import annotations

import cv2
import numpy as np

from vision.count.appearance.looks import uncertainty
from vision.count.counting import count_pieces
from vision.count.teaching.references import learn_colour

PAPER = (205, 208, 210)
# Candies of one photograph (BGR): red and blue ones, orange ones, and orange ones with their rims in the shade.
RED, BLUE, ORANGE, SHADED = ((0, 0, 236),) * 2, ((250, 154, 53),) * 2, ((0, 79, 249),) * 2, ((0, 62, 249), (0, 24, 246))
PLACES = [(80 + 110 * k, 80 + 110 * row) for row in range(3) for k in range(4)]


def table(kinds):
    """Candies of (face, rim) on a table with the grain of a camera."""
    picture = np.full((380, 490, 3), PAPER, np.float32)
    for (face, rim), (x, y) in zip(kinds, PLACES, strict=False):
        rows, cols = np.mgrid[: picture.shape[0], : picture.shape[1]]
        away = np.hypot(cols - x, rows - y) / 32
        towards = np.clip((away - 0.62) / 0.14, 0, 1)[..., None]
        dome = np.array(face) * (1 - towards) + np.array(rim) * towards
        on = np.clip((1 - away) * 32, 0, 1)[..., None]
        picture = picture * (1 - on) + dome * on
    grain = np.random.default_rng(5).normal(0, 1.0, picture.shape)
    return cv2.GaussianBlur(np.clip(picture + grain, 0, 255).astype(np.uint8), (0, 0), 0.7)


def test_candies_whose_rims_lie_in_the_shade_keep_their_name():
    taught = table([RED, ORANGE, BLUE])
    names = zip(("red", "orange", "blue"), PLACES, strict=False)
    colours = [learn_colour(name, [(taught, ((x - 34, y - 34, 68, 68),))]) for name, (x, y) in names]
    result = count_pieces(table([SHADED, RED, BLUE, SHADED, ORANGE, RED, BLUE, SHADED, RED, BLUE]), colours)
    assert result.counts == {"red": 3, "orange": 4, "blue": 3}
    assert result.unknown == 0


def test_what_a_blown_out_channel_lost_is_not_known():
    dim, blown, white = (np.array([[light, light]]) for light in ([0.0, 0.05, 0.7], [0.0, 0.05, 0.97], [0.97] * 3))
    assert uncertainty(blown)[0, 0] > uncertainty(dim)[0, 0] + 0.05
    assert uncertainty(white)[0, 0] < 0.02
