"""Two pictures of a map drawn by hand: whether an arm has come in over it, also over what is as black as its sleeve."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from drawn_faces import drawn_tiles
from drawn_table import POSE, bare_cloth, lay, picture_px

from companion.core.layout import SlotOutline
from vision.appearance.canvas import Window
from vision.locate.plane import square_at
from vision.locate.rectify import rectify
from vision.tables.again.incremental import TableMemory, ZoneLook
from vision.tables.changes import find_changes
from vision.tables.maps.map_views import is_reached_over, kept_looks
from vision.tables.place import Shot
from vision.view.as_before import KeptView

SIDE_MM = 40.0
SLOTS = tuple(
    SlotOutline(f"s{x}{y}", tuple(map(tuple, square_at(np.array([44.0 * x, 44.0 * y]), SIDE_MM, 0.0))), "location")
    for x in (-1, 0, 1) for y in (-1, 0)
)  # fmt: skip
WINDOW = Window.around(np.array([[-180.0, -130.0], [180.0, 130.0]]), 0.0)
TILES = tuple(drawn_tiles(2, 36, every=12).values())
SKIN_BGR, BLACK_BGR, SLEEVE_BGR = (110, 140, 190), (28, 28, 30), (31, 31, 32)


def box(image: np.ndarray, left: float, top: float, right: float, bottom: float, colour: tuple[int, int, int]) -> None:
    """A rectangle of the table, mm, painted in place."""
    corners = picture_px(np.array([[left, top], [right, top], [right, bottom], [left, bottom]]), 0.0)
    cv2.fillConvexPoly(image, np.round(corners).astype(np.int32), colour)


def table(*, checks: bool = False, seed: int = 1) -> np.ndarray:
    """A cloth, plain or with black checks all over, on which a tile lies."""
    image = bare_cloth(seed)
    if checks:
        for x in range(-200, 200, 40):
            for y in range(-160, 160, 40):
                if (x + y) // 40 % 2:
                    box(image, x, y, x + 40, y + 40, BLACK_BGR)
    lay(image, TILES[0], (0.0, 0.0), SIDE_MM)
    return image


def is_reached(before: np.ndarray, now: np.ndarray, earlier: tuple[np.ndarray, ...] = ()) -> bool:
    size = (WINDOW.width_px, WINDOW.height_px)
    *kept, old, new = (rectify(image, POSE, WINDOW.corners_mm, 0.0, size) for image in (*earlier, before, now))
    look = ZoneLook(WINDOW, new, find_changes(old, new))
    memory = TableMemory((), looks=tuple(map(KeptView, (*kept, old))))
    return is_reached_over(Shot(now, POSE), memory, look, KeptView(new), SLOTS)


@pytest.mark.parametrize("sleeve_bgr", [SLEEVE_BGR, (30, 30, 150)])
def test_a_hand_comes_in_though_its_sleeve_lies_over_a_box_as_black_as_it(sleeve_bgr: tuple[int, int, int]) -> None:
    before, now = table(), table(seed=2)
    for image in (before, now):
        box(image, -40.0, 80.0, 40.0, 150.0, BLACK_BGR)
    box(now, -12.0, 90.0, 12.0, 150.0, sleeve_bgr)
    box(now, -10.0, -5.0, 10.0, 90.0, SKIN_BGR)
    assert is_reached(before, now)


def test_a_tile_that_was_laid_is_no_arm_though_a_black_box_lies_at_the_rim() -> None:
    before, now = table(), table(seed=2)
    for image in (before, now):
        box(image, -40.0, 80.0, 40.0, 150.0, BLACK_BGR)
    lay(now, TILES[1], (44.0, 0.0), SIDE_MM)
    assert not is_reached(before, now)


def test_a_tile_that_was_laid_on_black_checks_is_no_arm() -> None:
    before, now = table(checks=True), table(checks=True, seed=2)
    lay(now, TILES[1], (44.0, 0.0), SIDE_MM)
    assert not is_reached(before, now)


def noisy(image: np.ndarray, seed: int, deviation: float = 40.0) -> np.ndarray:
    """The same in so dark a room that a camera's noise hides pieces, and by default drowns all detail."""
    noise = np.random.default_rng(seed).normal(0.0, deviation, image.shape)
    return np.asarray(np.clip(cv2.convertScaleAbs(image, alpha=0.5) + noise, 0, 255).astype(np.uint8))


def test_an_arm_comes_in_though_noise_hides_pieces() -> None:
    now = table(seed=2)
    box(now, -15.0, -5.0, 15.0, 150.0, SKIN_BGR)
    assert is_reached(noisy(table(), 3), noisy(now, 4), (noisy(table(), 5),))
    assert not is_reached(noisy(now, 4), noisy(table(), 3))  # the first picture held one


def test_a_tile_that_was_laid_in_noise_that_hides_pieces_is_no_arm() -> None:
    now = table(seed=2)
    lay(now, TILES[1], (44.0, 0.0), SIDE_MM)
    assert not is_reached(noisy(table(), 3), noisy(now, 4), (noisy(table(), 5),))


def test_a_shadow_that_went_in_noise_that_hides_pieces_is_no_arm_where_the_grain_of_the_wood_is_seen() -> None:
    grain = cv2.GaussianBlur(np.random.default_rng(9).normal(0.0, 1.0, bare_cloth().shape[:2]), (0, 0), 1.5)
    wood = np.clip(np.array([70.0, 110.0, 160.0]) + 300.0 * grain[..., None], 0, 255).astype(np.uint8)
    lay(wood, TILES[0], (0.0, 0.0), SIDE_MM)
    shadow = np.full_like(wood, 255)
    box(shadow, 25.0, -15.0, 65.0, 150.0, (90, 90, 90))
    shaded = cv2.multiply(wood, shadow, scale=1 / 255)
    first, last = (noisy(cv2.convertScaleAbs(one, alpha=2.0), seed, 30.0) for one, seed in ((shaded, 3), (wood, 4)))
    earlier = tuple(noisy(cv2.convertScaleAbs(wood, alpha=2.0), seed, 30.0) for seed in (5, 6))
    assert not is_reached(first, last, earlier)


def test_one_look_is_kept_of_each_rest_of_a_running_camera_and_of_every_picture_of_a_film() -> None:
    one, other, third = (KeptView(np.full((8, 8, 3), level, np.uint8)) for level in (10, 20, 30))
    memory = TableMemory((), looks=(one, other), moved_s=5.0)
    assert kept_looks(memory, third, 5.0) == (one, third)
    assert kept_looks(memory, third, 6.0) == (one, other, third)
    film = TableMemory((), looks=(one, other))
    assert kept_looks(film, third, film.moved_s) == (one, other, third)
