"""A face whose first reading failed is found by its fine print, turned, off its place and in any light."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from drawn_faces import drawn_tiles

from vision.appearance.placed_face import PlacedFace, draw, shrink_reference
from vision.appearance.print_search import search_print

SIDE_MM = 55.0
ORIGIN = (-50.0, -50.0)
SCANS = {face: shrink_reference(scan, SIDE_MM) for face, scan in drawn_tiles(3, 4).items()}
LYING, ANY = list(SCANS)[1:3]
PLACE = PlacedFace(np.zeros(2), 0.0, SIDE_MM, SCANS[ANY])


def table(noise: float = 3.0) -> np.ndarray:
    """(150, 150, 3) uint8: a bare table from above."""
    grain = np.random.default_rng(3).normal(0, noise, (150, 150, 3))
    return np.asarray(np.clip(96 + grain, 0, 255), np.uint8)


@pytest.mark.parametrize(
    ("turn", "off_mm", "tilt_deg"), [(0, (0.0, 0.0), 0.0), (1, (3.0, -2.5), 6.0), (3, (-3.5, 1.0), -5.0)]
)
def test_a_face_is_found_in_any_turn_and_off_its_place(turn: int, off_mm: tuple[float, float], tilt_deg: float) -> None:
    picture, label = table(), np.full((150, 150), -1, np.int16)
    lying = PlacedFace(np.array(off_mm), 90.0 * turn + tilt_deg, SIDE_MM, SCANS[LYING])
    draw(picture, label, lying, 0, ORIGIN, blur=2)
    best, *others = search_print(picture, ORIGIN, PLACE, (0, 1, 2, 3), SCANS)
    assert (best.face, best.turn) == (LYING, turn)
    assert best.place.corners_mm == pytest.approx(lying.corners_mm, abs=0.8)
    assert all(one.likeness < best.likeness for one in others)


def test_a_face_is_found_though_half_of_it_lies_in_the_sun_and_a_piece_on_it() -> None:
    picture, label = table(), np.full((150, 150), -1, np.int16)
    lying = PlacedFace(np.array([1.5, 2.0]), 183.0, SIDE_MM, SCANS[LYING])
    draw(picture, label, lying, 0, ORIGIN, blur=2)
    sunny = cv2.GaussianBlur(np.tri(150, dtype=np.float32), (0, 0), 1.0)[..., None]
    picture = np.clip(picture * (0.5 + 0.6 * sunny), 0, 255).astype(np.uint8)
    picture[60:78, 82:100] = (20, 20, 190)
    best = search_print(picture, ORIGIN, PLACE, (0, 1, 2, 3), SCANS)[0]
    assert (best.face, best.turn) == (LYING, 2)


def test_a_face_that_fits_in_two_turns_is_found_once() -> None:
    scan = drawn_tiles(3, 1)
    (face, upright), = scan.items()
    half = upright.copy()
    half[len(half) // 2 :] = half[: (len(half) + 1) // 2][::-1, ::-1][: len(half) - len(half) // 2]
    scans = {face: shrink_reference(half, SIDE_MM)}
    picture, label = table(), np.full((150, 150), -1, np.int16)
    draw(picture, label, PlacedFace(np.zeros(2), 0.0, SIDE_MM, scans[face]), 0, ORIGIN, blur=2)
    assert [one.face for one in search_print(picture, ORIGIN, PLACE, (0, 1, 2, 3), scans)] == [face]


def test_on_bare_table_and_on_a_chequered_cloth_no_face_is_found() -> None:
    chequered = np.kron(np.indices((10, 10)).sum(0) % 2, np.ones((15, 15)))[..., None] * np.full(3, 120)
    for picture in (table(), np.clip(table() + chequered, 0, 255).astype(np.uint8)):
        assert search_print(picture, ORIGIN, PLACE, (0, 1, 2, 3), SCANS) == ()
