"""A pose is fitted to tiles that were laid by hand: their corners, beside and turned, and one under a hand."""

from __future__ import annotations

import numpy as np
import pytest

from vision.locate.camera_model import Camera
from vision.locate.tile_fit import fit_tiles

SIZE, SIDE_MM = (1280, 720), 60.0
LENS = Camera(np.array([[1200.0, 0, 640], [0, 1200.0, 360], [0, 0, 1]]), np.zeros(5), SIZE, measured=True)
RVEC, TVEC = np.array([0.45, 0.05, -0.02]), np.array([10.0, -20.0, 900.0])
CENTRES = [(x, y) for y in (-100.0, 0.0, 100.0) for x in (-150.0, 0.0, 150.0)]
SQUARE = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * SIDE_MM / 2


def corners_px(centre: tuple[float, float], beside: tuple[float, float], turn_deg: float) -> np.ndarray:
    """What the camera sees of a tile that lies `beside` (mm) its place and is turned."""
    cos, sin = np.cos(np.deg2rad(turn_deg)), np.sin(np.deg2rad(turn_deg))
    table = np.array(centre) + beside + SQUARE @ np.array([[cos, sin], [-sin, cos]])
    return LENS.project(np.column_stack([table, np.zeros(4)]), RVEC, TVEC)


def tiles(beside_mm: float = 0.0, turn_deg: float = 0.0) -> tuple[tuple[tuple[float, float], np.ndarray], ...]:
    """Nine tiles, each beside its place another way, half of them turned one way and half the other."""
    ways = np.random.default_rng(2).normal(0, beside_mm, (len(CENTRES), 2))
    return tuple(
        (centre, corners_px(centre, (float(x), float(y)), turn_deg * (-1) ** k))
        for k, (centre, (x, y)) in enumerate(zip(CENTRES, ways, strict=True))
    )


def test_tiles_in_their_places_give_the_pose() -> None:
    fit = fit_tiles(tiles(), SIDE_MM, 0.5, 0.0, SIZE, LENS)
    assert fit is not None
    assert fit.rvec == pytest.approx(RVEC, abs=1e-3)
    assert fit.tvec == pytest.approx(TVEC, abs=0.5)
    assert fit.error_px < 0.1


def test_tiles_laid_by_hand_tell_the_perspective_by_their_squares() -> None:
    fit = fit_tiles(tiles(beside_mm=2.0, turn_deg=2.0), SIDE_MM, 0.5, 0.0, SIZE, LENS)
    assert fit is not None
    assert fit.rvec == pytest.approx(RVEC, abs=0.02)
    assert fit.error_px < 1.5, "what lies askew is the tiles' own, not the pose's"


def test_one_corner_under_a_hand_does_not_move_the_table() -> None:
    laid = list(tiles())
    laid[4] = (CENTRES[4], laid[4][1] + np.array([[40.0, 40.0], [0, 0], [0, 0], [0, 0]]))
    fit = fit_tiles(tuple(laid), SIDE_MM, 0.5, 0.0, SIZE, LENS)
    assert fit is not None
    assert fit.rvec == pytest.approx(RVEC, abs=0.02)
    far = np.linalg.norm(fit.project(np.array([[150.0, 100.0, 0.0]])) - LENS.project([[150.0, 100.0, 0.0]], RVEC, TVEC))
    assert far < 3.0
