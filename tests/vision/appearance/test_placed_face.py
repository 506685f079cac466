"""A face that is not square is drawn where it lies and settled to where it fits best."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.appearance.face_fit import fit_faces
from vision.appearance.picture_light import PictureLight
from vision.appearance.placed_face import (
    PX_PER_MM,
    PlacedFace,
    SeenTable,
    box_around,
    draw,
    in_face_frame,
    shrink_reference,
)
from vision.appearance.print_detail import detail_likeness
from vision.pieces.shapes import PieceModel

WIDTH_MM, HEIGHT_MM = 44.0, 68.0
# drawing by interpolation softens a sharp scan to some 0.7 px
PLAIN_LIGHT = PictureLight((1.0, 1.0, 1.0), (0.0, 0.0, 0.0), (0.0, 0.0), 2.0, blur_px=0.7)


def card() -> np.ndarray:
    scan = np.full((544, 352, 3), (200, 210, 220), np.uint8)
    cv2.rectangle(scan, (30, 40), (300, 260), (60, 90, 160), -1)
    cv2.circle(scan, (120, 400), 60, (40, 130, 60), -1)
    return scan


def test_corners_have_the_shape_of_the_scan() -> None:
    laid = PlacedFace(np.zeros(2), 90.0, WIDTH_MM, shrink_reference(card(), WIDTH_MM))
    half = np.array([HEIGHT_MM, WIDTH_MM]) / 2  # a quarter turn clockwise: top left comes to the top right
    assert laid.corners_mm == pytest.approx(np.array([[1, -1], [1, 1], [-1, 1], [-1, -1]]) * half, abs=0.01)


@pytest.mark.parametrize("turn_deg", [0.0, 90.0, 180.0])
def test_a_card_settles_to_an_eighth_of_a_millimetre(turn_deg: float) -> None:
    true = PlacedFace(np.array([0.8, -0.6]), turn_deg + 1.2, WIDTH_MM, shrink_reference(card(), WIDTH_MM))
    origin = (-60.0, -60.0)
    seen = np.full((180, 180, 3), 90, np.uint8)
    draw(seen, np.full((180, 180), -1, np.int16), true, 0, origin, blur=0)
    nearly = replace(true, centre_mm=np.zeros(2), turn_deg=turn_deg)
    found = fit_faces(SeenTable(seen, origin), [nearly], PLAIN_LIGHT)[0]
    assert found.corners_mm == pytest.approx(true.corners_mm, abs=0.125)


def rimmed(worn_px: int = 0) -> np.ndarray:
    """A tile of fine print in a dark rim, of which wear has left the outermost pale."""
    fine = cv2.GaussianBlur(np.random.default_rng(4).normal(0, 1, (384, 384)).astype(np.float32), (0, 0), 3.0)
    scan = np.repeat((150 + 40 * fine / np.abs(fine).max())[..., None], 3, -1).astype(np.uint8)
    for rim_px, grey in ((22, 25), (worn_px, 235)):
        inside = scan[rim_px : 384 - rim_px, rim_px : 384 - rim_px].copy()
        scan[:] = grey
        scan[rim_px : 384 - rim_px, rim_px : 384 - rim_px] = inside
    return scan


def test_a_tile_that_wear_makes_larger_than_the_others_is_fitted_as_large_as_they_are() -> None:
    side_mm, origin = 55.0, (-40.0, -40.0)
    whole, worn = (shrink_reference(rimmed(px), side_mm) for px in (0, 6))
    seen = np.full((130, 650, 3), 120, np.uint8)
    for k in range(6):
        lies = PlacedFace(np.array([60.0 * k + 0.5, 0.3]), 0.8, side_mm, worn if k == 2 else whole)
        draw(seen, np.full(seen.shape[:2], -1, np.int16), lies, k, origin, blur=0)
    table = SeenTable(cv2.GaussianBlur(seen, (0, 0), 1.0), origin)
    light = replace(PLAIN_LIGHT, blur_px=1.2)
    nearly = [PlacedFace(np.array([60.0 * k, 0.0]), 0.0, side_mm, whole) for k in range(6)]
    (alone,) = fit_faces(table, nearly[2:3], light)
    together = fit_faces(table, nearly, light)
    assert alone.side_mm > 1.01 * together[1].side_mm
    assert together[2].side_mm < alone.side_mm - 0.05
    like_alone, like_together = (detail_likeness(table.bgr, one, origin) for one in (alone, together[2]))
    assert like_together > like_alone


def test_points_of_several_faces_are_seen_where_each_lies() -> None:
    scan, origin = shrink_reference(card(), WIDTH_MM), (-60.0, -60.0)
    faces = [PlacedFace(np.array([10.0, -5.0]), 90.0, WIDTH_MM, scan), PlacedFace(np.zeros(2), 0.0, WIDTH_MM, scan)]
    ramp = np.tile(np.arange(180, dtype=np.uint8)[None, :, None], (180, 1, 3))  # a grey level a column
    right = scan.middle + np.array([15.0, 0.0])  # 10 mm to the right of the middle of the upright card
    seen, place_mm = SeenTable(ramp, origin).at(faces, [np.array([scan.middle, right]), right[None]])
    assert place_mm == pytest.approx(np.array([[10.0, -5.0], [10.0, 5.0], [10.0, 0.0]]), abs=0.01)
    assert seen[:, 0] == pytest.approx((place_mm[:, 0] + 60.0) * PX_PER_MM - 0.5, abs=0.6)


@pytest.mark.parametrize("seed", range(12))
def test_a_face_is_seen_by_nothing_outside_of_its_box(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scan = shrink_reference(card(), WIDTH_MM)
    face = PlacedFace(rng.uniform(-90, 90, 2), float(rng.uniform(0, 360)), WIDTH_MM, scan)
    beside = np.full((180, 180), 1.0, np.float32)
    beside[box_around(face, (-60.0, -60.0), beside.shape)] = 0.0
    assert not in_face_frame(beside, face, (-60.0, -60.0)).any()


def test_a_high_piece_leans_more_than_a_cube() -> None:
    eye = (0.0, 0.0, -800.0)
    assert PieceModel(10.0, 0.0, eye).lean() == pytest.approx(800 / 790)
    assert PieceModel(10.0, 0.0, eye, height_mm=16.0).lean() == pytest.approx(800 / 784)
