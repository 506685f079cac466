"""Squares in a plane: fitted, found from their own shape, and cropped upright."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.locate.plane import HomographyPlane, fit_square, planes_of_squares, square_at

TILTED = HomographyPlane(np.linalg.inv(np.array([[2.1, 0.2, 300.0], [-0.1, 1.9, 240.0], [0.0002, 0.0005, 1.0]])))
"""A plane seen aslant: some 2 px a mm."""


@pytest.mark.parametrize(("turn_deg", "side"), [(0.0, 55.0), (33.0, 55.0), (-80.0, 12.5)])
def test_a_true_square_is_fitted_exactly(turn_deg: float, side: float) -> None:
    centre, turn, fitted, misfit = fit_square(square_at(np.array([7.0, -4.0]), side, turn_deg))
    assert centre == pytest.approx([7.0, -4.0])
    assert (turn, fitted, misfit) == pytest.approx((turn_deg, side, 0.0), abs=1e-6)


def test_a_corner_out_of_place_shows_as_misfit() -> None:
    corners = square_at(np.zeros(2), 10.0, 0.0)
    corners[0] += (2.0, 0.0)
    assert 0.05 < fit_square(corners)[3] < 0.2


def test_px_and_mm_go_there_and_back() -> None:
    mm = np.array([[0.0, 0.0], [80.0, -30.0]])
    assert TILTED.to_mm(TILTED.to_px(mm)) == pytest.approx(mm)


def test_three_squares_tell_their_plane_up_to_where_it_begins() -> None:
    squares = [square_at(np.array(xy), 40.0, turn) for xy, turn in (((0, 0), 0), ((90, 10), 30), ((20, 95), 70))]
    (plane,) = planes_of_squares([TILTED.to_px(square) for square in squares], 40.0)
    sides = [fit_square(plane.to_mm(TILTED.to_px(square))) for square in squares]
    assert [side for _, _, side, _ in sides] == pytest.approx([40.0] * 3, rel=0.01)
    assert max(misfit for *_, misfit in sides) < 0.01


def test_one_square_tells_no_plane() -> None:
    assert planes_of_squares([TILTED.to_px(square_at(np.zeros(2), 40.0, 0.0))], 40.0) == []


@pytest.mark.parametrize("size", [60, (60, 30)])
def test_a_crop_shows_its_rectangle_upright_in_the_size_asked_for(size: int | tuple[int, int]) -> None:
    image = np.zeros((480, 640, 3), np.uint8)
    place = square_at(np.array([30.0, 20.0]), 60.0, 25.0)
    cv2.fillConvexPoly(image, np.round(TILTED.to_px(place)).astype(np.int32), (255, 255, 255))
    crop = TILTED.crop(image, place, size, 0.25)
    width, height = (size, size) if isinstance(size, int) else size
    assert crop.shape == (height, width, 3)
    inner = crop[height // 5 : -(height // 5), width // 5 : -(width // 5)]
    assert inner.mean() > 250
    assert crop[: height // 8].mean() < 30
