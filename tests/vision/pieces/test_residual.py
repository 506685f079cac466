"""A face looks like its own print, not like another's, and part of it not where something lies on it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.lab.render.edition import sample_edition
from vision.appearance.canvas import Window, compose
from vision.appearance.placed_face import FaceScan, PlacedFace, shrink_reference
from vision.pieces.residual import LitPicture, strange_shares

SIDE_MM = 55.0
MIDDLE = np.zeros(2)
WINDOW = Window.around(np.array([[-70.0, -70.0], [70.0, 70.0]]), 0.0)


@pytest.fixture(scope="module")
def scans() -> list[FaceScan]:
    return [shrink_reference(sample_edition().face(tile.id), SIDE_MM) for tile in sample_edition().tiles[:13:12]]


def seen(scan: FaceScan, thing: bool = False) -> np.ndarray:
    """The face in the middle of a plain table, with a thing over a part of it."""
    picture = np.full((WINDOW.height_px, WINDOW.width_px, 3), (80, 110, 120), np.uint8)
    x, y = np.round(WINDOW.to_px(MIDDLE) - np.array(scan.wh) / 2 + 0.5).astype(int).tolist()
    picture[y : y + scan.wh[1], x : x + scan.wh[0]] = scan.soft[2]
    if thing:
        cv2.rectangle(picture, (x + 20, y + 20), (x + 50, y + 50), (20, 230, 230), -1)
    return picture


def test_a_face_looks_like_itself_and_not_like_another(scans: list[FaceScan]) -> None:
    picture = seen(scans[0])
    right = compose(picture, WINDOW, [PlacedFace(MIDDLE, 0.0, SIDE_MM, scans[0])])
    assert strange_shares(right)[0] < 0.02
    lit = LitPicture(picture, right)
    own, other = (lit.strange_share(PlacedFace(MIDDLE, 0.0, SIDE_MM, scan)) for scan in scans)
    assert own is not None
    assert other is not None
    assert own < 0.05 < 0.15 < other


def test_a_thing_on_a_face_is_strange_by_its_area(scans: list[FaceScan]) -> None:
    canvas = compose(seen(scans[0], thing=True), WINDOW, [PlacedFace(MIDDLE, 0.0, SIDE_MM, scans[0])])
    assert strange_shares(canvas)[0] == pytest.approx(31**2 / (scans[0].wh[0] * scans[0].wh[1]), abs=0.05)


def test_of_a_face_beyond_the_picture_nothing_is_said(scans: list[FaceScan]) -> None:
    picture = seen(scans[0])
    lit = LitPicture(picture, compose(picture, WINDOW, [PlacedFace(MIDDLE, 0.0, SIDE_MM, scans[0])]))
    assert lit.strange_share(PlacedFace(np.array([60.0, 0.0]), 0.0, SIDE_MM, scans[0])) is None
