"""What lies beside the known things of a picture and is not table."""

from __future__ import annotations

import cv2
import numpy as np

from vision.appearance.leftovers import LeftoverJudge

TILE = np.array([[200.0, 150.0], [260.0, 150.0], [260.0, 210.0], [200.0, 210.0]])


def table(*things: tuple[int, int, int, int]) -> np.ndarray:
    """A plain table (360, 480, 3) with a known tile and other things (x0, y0, x1, y1)."""
    image = np.full((360, 480, 3), (70, 120, 80), np.uint8)
    for x0, y0, x1, y1 in ((200, 150, 260, 210), *things):
        cv2.rectangle(image, (x0, y0), (x1, y1), (60, 60, 190), -1)
    noise = np.random.default_rng(2).normal(0, 2, image.shape)
    return np.clip(image + noise, 0, 255).astype(np.uint8)


def test_beside_the_known_tile_nothing_is_left_over() -> None:
    over = LeftoverJudge(table(), [TILE])
    assert (over.in_picture() > 0).mean() < 0.001
    assert over.share(TILE) > 0.9
    assert over.share(TILE + np.array([120.0, 0.0])) < 0.1


def test_a_thing_beside_the_tiles_is_left_over_where_it_lies() -> None:
    left = LeftoverJudge(table((290, 150, 350, 210)), [TILE]).in_picture()
    assert left.shape == (360, 480)
    assert left[150:210, 290:350].mean() > 0.95 * 255
    assert left[:, :270].max() == 0


def test_a_cloth_of_the_tiles_colours_hides_tiles_and_a_plain_table_does_not() -> None:
    plain = table()
    cloth = plain.copy()
    checks = np.kron(np.indices((9, 12)).sum(0) % 2, np.ones((40, 40))).astype(bool)
    cloth[checks] = plain[180, 230]
    assert LeftoverJudge(cloth, [TILE]).hides([TILE], 0.2)
    assert not LeftoverJudge(plain, [TILE]).hides([TILE], 0.2)


def test_what_stands_at_the_pictures_edge_is_no_table() -> None:
    # two mugs of tea at the edge have the tiles' red: 0.01 of the rim each
    over = LeftoverJudge(table((0, 40, 34, 90), (446, 40, 480, 90)), [TILE])
    assert over.share(TILE) > 0.9
    assert over.share(TILE + np.array([120.0, 0.0])) < 0.1
