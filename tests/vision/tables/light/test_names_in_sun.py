"""Cards across the edge of a pane of sun are named by their print with the sun on all of it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.appearance.canvas import Canvas, Window, compose
from vision.appearance.picture_light import PictureLight
from vision.appearance.placed_face import FaceScan, PlacedFace, SeenTable, shrink_reference
from vision.appearance.twins.rematch import Doubt, rank_rivals
from vision.tables.light.names_in_sun import _less_sure, ranked_in_sun

SUN = PictureLight((0.9, 0.9, 0.85), (0.01, 0.01, 0.01), (0.0, 0.0), 2.0)
SHADE = PictureLight((0.3, 0.32, 0.36), (0.01, 0.01, 0.01), (0.0, 0.0), 2.0)
SIDE_MM = 40.0
MIDDLES = {"known": (0.0, 0.0), "other": (50.0, 0.0), "asked": (100.0, 0.0)}
WINDOW = Window.around(np.array([[-20.0, -20.0], [120.0, 20.0]]), 20.0)


def scans() -> dict[str, FaceScan]:
    """Faces of plain squares; "asked" and "twin" differ in one of 64, by a little."""
    rng = np.random.default_rng(7)
    squares = {name: rng.integers(30, 220, (8, 8, 3), np.uint8) for name in MIDDLES}
    squares["twin"] = squares["asked"].copy()
    squares["asked"][5, 2], squares["twin"][5, 2] = (100, 112, 104), (112, 106, 112)
    pictures = {n: cv2.resize(s, (160, 160), interpolation=cv2.INTER_NEAREST) for n, s in squares.items()}
    return {name: shrink_reference(picture, SIDE_MM) for name, picture in pictures.items()}


def laid(scan: FaceScan, at: tuple[float, float]) -> PlacedFace:
    return PlacedFace(np.array(at), 0.0, SIDE_MM, scan)


def shown(faces: dict[str, FaceScan], edge_mm: float) -> np.ndarray:
    """The faces on a grey table; the sun shines on all that lies above a line that is drawn slantwise from there."""
    flat = np.full((WINDOW.height_px, WINDOW.width_px, 3), 90, np.uint8)
    for name, at in MIDDLES.items():
        print_bgr = faces[name].soft[1]
        left, top = np.round(WINDOW.to_px(np.array(at) - SIDE_MM / 2) + 0.5).astype(int).tolist()
        flat[top : top + print_bgr.shape[0], left : left + print_bgr.shape[1]] = print_bgr
    x, y = WINDOW.axes_mm()
    sunny = y[:, None] + 0.1 * x[None] < edge_mm
    even = np.ones(flat.shape[:2], np.float32)
    lit = [light.over_table(flat, even, WINDOW.axes_mm()) for light in (SUN, SHADE)]
    noise = cv2.blur(np.random.default_rng(8).normal(0.0, 6.0, flat.shape), (2, 2))
    return np.clip(np.where(sunny[..., None], *lit) + noise, 0, 255).astype(np.uint8)


def ranked(edge_mm: float) -> tuple[list[tuple[tuple[str, float], ...]] | None, tuple[tuple[str, float], ...]]:
    """The chances of the asked card and its twin with the sun on all, and in one light."""
    faces = scans()
    seen = shown(faces, edge_mm)
    canvas: Canvas = compose(seen, WINDOW, [laid(faces[name], MIDDLES[name]) for name in ("known", "other")])
    doubts = [Doubt(laid(faces["twin"], MIDDLES["asked"]), (("twin", 0.5), ("asked", 0.5)))]
    table = SeenTable(seen, (WINDOW.left_mm, WINDOW.top_mm))
    return ranked_in_sun(seen, canvas, doubts, faces), rank_rivals(table, canvas.light, doubts, faces)[0]


@pytest.mark.parametrize("edge_mm", [5.0, 7.0, 9.0])
def test_a_card_across_the_edge_of_a_pane_is_named_more_surely_than_in_one_light(edge_mm: float) -> None:
    in_sun, in_one = ranked(edge_mm)
    assert in_sun is not None
    (named, p), one_p = in_sun[0][0], dict(in_one)["asked"]
    assert named == "asked"
    assert 1.0 - p < 0.6 * (1.0 - one_p)


def test_two_looks_that_differ_leave_a_name_open_and_two_that_agree_are_as_sure_as_the_less_sure_one() -> None:
    one, other = (("asked", 0.99), ("twin", 0.01)), (("asked", 0.92), ("twin", 0.08))
    assert _less_sure(one, other) == _less_sure(other, one) == other
    open_name = dict(_less_sure(one, (("twin", 0.97), ("asked", 0.03))))
    assert open_name == pytest.approx({"asked": 0.51, "twin": 0.49})


def test_faces_in_one_light_are_told_in_that() -> None:
    in_sun, in_one = ranked(500.0)
    assert in_sun is None
    assert in_one[0][0] == "asked"
