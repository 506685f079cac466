"""A chip whose spots have the table's colour teaches by its shape: an ellipse through what is seen of its edge."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.count.table.ground import to_lab
from vision.count.teaching.references import learn_colour
from vision.count.teaching.shape import rim_of_shape

TABLE, BODY, PALE = (165, 160, 160), (140, 40, 30), (172, 168, 166)
MIDDLE, HALF_AXES = (101.0, 99.0), (86, 76)


def chip(shadow: bool = False) -> np.ndarray:
    """A crop (200, 200, 3) of a chip seen a little aslant, with eight spots and a label as pale as the table."""
    picture = np.full((200, 200, 3), TABLE, np.float32)
    middle = (round(MIDDLE[0]), round(MIDDLE[1]))
    if shadow:
        dark = cv2.ellipse(np.zeros((200, 200), np.float32), (112, 110), HALF_AXES, 0, 0, 360, 1.0, -1)
        picture *= 1 - 0.3 * cv2.GaussianBlur(dark, (0, 0), 6)[..., None]
    picture = picture.astype(np.uint8)
    cv2.ellipse(picture, middle, HALF_AXES, 0, 0, 360, BODY, -1, cv2.LINE_AA)
    for start in range(0, 360, 45):
        cv2.ellipse(picture, middle, HALF_AXES, 0, start, start + 18, PALE, -1, cv2.LINE_AA)
    cv2.ellipse(picture, middle, (58, 54), 0, 0, 360, BODY, -1, cv2.LINE_AA)
    cv2.ellipse(picture, middle, (36, 34), 0, 0, 360, PALE, -1, cv2.LINE_AA)
    noise = np.random.default_rng(1).normal(0, 1.5, picture.shape)
    return np.clip(picture + noise, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("shadow", [False, True])
def test_an_ellipse_through_the_teeth_of_a_cog_is_the_piece(shadow: bool) -> None:
    found = rim_of_shape(to_lab(chip(shadow)))
    assert found is not None
    outline, support = found
    assert outline.mean(axis=0) == pytest.approx(MIDDLE, abs=2.0)
    assert (np.ptp(outline, axis=0) / 2) == pytest.approx(HALF_AXES, abs=3.0)
    assert 0.38 < support < 0.8


def test_a_square_tile_has_no_round_shape() -> None:
    tile = np.full((200, 200, 3), TABLE, np.uint8)
    cv2.rectangle(tile, (30, 30), (170, 170), BODY, -1)
    assert rim_of_shape(to_lab(tile)) is None


def test_a_bare_table_has_no_shape() -> None:
    assert rim_of_shape(to_lab(np.full((80, 80, 3), TABLE, np.uint8))) is None


def test_a_spotted_chip_teaches_with_its_rim() -> None:
    (look,) = learn_colour("blue", [(chip(), ())]).looks
    assert look.support > 0
