"""A chip whose spots have the table's colour teaches by its shape: an ellipse through what is seen of its edge."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.count.discs.search import ROUND_SUPPORT
from vision.count.table.ground import to_lab
from vision.count.teaching.references import learn_colour
from vision.count.teaching.shape import own_part, rim_by_table, rim_of_shape, table_colours

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


def loose_crop(size: int = 300, neighbour: bool = True) -> np.ndarray:
    """The chip on gravel, aside in a crop (size, size, 3) that leaves half of its breadth around it."""
    rng = np.random.default_rng(2)
    coarse = cv2.resize(rng.normal(0, 18, (60, 60)).astype(np.float32), (size, size), interpolation=cv2.INTER_CUBIC)
    picture = np.clip(np.array(TABLE, np.float32) - 20 + coarse[..., None], 0, 255).astype(np.uint8)
    if neighbour:
        cv2.circle(picture, (10, 20), 60, (40, 180, 220), -1, cv2.LINE_AA)
    middle = (size // 2 + 18, size // 2 - 8)
    cv2.circle(picture, middle, 90, BODY, -1, cv2.LINE_AA)
    for start in range(0, 360, 45):
        cv2.ellipse(picture, middle, (90, 90), 0, start, start + 18, PALE, -1, cv2.LINE_AA)
    cv2.circle(picture, middle, 60, BODY, -1, cv2.LINE_AA)
    cv2.circle(picture, middle, 40, PALE, -1, cv2.LINE_AA)
    return picture


@pytest.mark.parametrize("neighbour", [False, True])
def test_a_piece_cut_out_loosely_is_found_where_the_table_begins(neighbour: bool) -> None:
    small = cv2.resize(loose_crop(neighbour=neighbour), (72, 72), interpolation=cv2.INTER_AREA)
    found = rim_by_table(to_lab(small), (0.24 * 72, 0.5 * 72), 0.2 * 72)
    assert found is not None
    outline, ends = found
    assert outline.mean(axis=0) * 300 / 72 == pytest.approx((168, 142), abs=12)
    assert np.sqrt(cv2.contourArea(outline.astype(np.float32)) / np.pi) * 300 / 72 == pytest.approx(90, abs=9)
    assert ends > 0.5


def test_a_loose_crop_teaches_the_body_and_not_the_table() -> None:
    (look,) = learn_colour("blue", [(loose_crop(), ())]).looks
    body = np.array(look.rings[5])
    assert body[0] > 3 * body[2]  # blue, as the chip between label and spots


def test_a_box_drawn_loosely_teaches_with_the_rim_in_it() -> None:
    table = np.full((500, 500, 3), TABLE, np.uint8)
    cv2.circle(table, (250, 240), 80, BODY, -1, cv2.LINE_AA)
    (look,) = learn_colour("blue", [(table, [(130, 120, 240, 240)])]).looks
    assert look.support > 0.9
    assert np.array(look.ring_bgr) == pytest.approx(look.inner_bgr, abs=0.01)


def test_what_several_corners_show_is_table_and_what_one_shows_is_not() -> None:
    picture = np.full((72, 72, 3), TABLE, np.uint8)
    picture[:, ::3] = (60, 70, 80)
    picture[:20, :20] = (40, 180, 220)
    shown = table_colours(to_lab(picture))
    for colour, seen in ((TABLE, True), ((60, 70, 80), True), ((40, 180, 220), False)):
        lab = to_lab(np.array([[colour]], np.uint8))[0, 0]
        assert (np.linalg.norm(shown - lab, axis=1).min() < 8) == seen


def _chip_in_crop(breadth: float, table: tuple[int, int, int] = (150, 180, 200)) -> np.ndarray:
    """A dark blue chip on a plain table, of so much of the breadth of a crop 200 px broad."""
    crop = np.full((200, 200, 3), table, np.uint8)
    cv2.circle(crop, (104, 97), round(100 * breadth), (120, 50, 30), -1, cv2.LINE_AA)
    noisy = crop + np.random.default_rng(1).normal(0, 2.0, crop.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("breadth", [0.35, 0.5, 0.7, 0.9])
def test_a_piece_teaches_however_loose_its_crop_is(breadth: float) -> None:
    learnt = learn_colour("blue", [(_chip_in_crop(breadth), ())])
    assert len(learnt.looks) == 1
    assert learnt.looks[0].support >= ROUND_SUPPORT
    assert np.linalg.norm(learnt.lab() - to_lab(np.array([[[120, 50, 30]]], np.uint8))[0, 0]) < 3


def test_a_glint_on_a_piece_that_fills_its_crop_is_no_piece() -> None:
    crop = np.full((200, 200, 3), (120, 50, 30), np.uint8)
    cv2.circle(crop, (80, 70), 22, (235, 235, 235), -1, cv2.LINE_AA)
    assert own_part(to_lab(crop)) is None
