"""A printed board is found where it lies, and not where there is none."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.printed.board import BoardShape, bent, straightened
from vision.printed.locate import REFERENCE_SQUARE_PX, BoardFinder

SHAPE = BoardShape(5, 5)
COLOURS = np.array([(80, 130, 60), (60, 60, 190), (190, 140, 70), (205, 225, 232)], np.uint8)


def flat() -> np.ndarray:
    """The board from above, one square of a plain margin about it: squares of four colours in chance order."""
    chosen = np.random.default_rng(4).integers(0, len(COLOURS), (SHAPE.rows, SHAPE.columns))
    squares = cv2.resize(
        COLOURS[chosen], None, fx=REFERENCE_SQUARE_PX, fy=REFERENCE_SQUARE_PX, interpolation=cv2.INTER_NEAREST
    )
    for n in range(1, SHAPE.rows):
        at = n * REFERENCE_SQUARE_PX
        squares[at - 1 : at + 1], squares[:, at - 1 : at + 1] = 20, 20
    edge = REFERENCE_SQUARE_PX
    return cv2.copyMakeBorder(squares, edge, edge, edge, edge, cv2.BORDER_CONSTANT, value=(235, 235, 235))


BOARD = flat()


@pytest.fixture(scope="module")
def finder() -> BoardFinder:
    return BoardFinder(BOARD, SHAPE)


def photographed(corners: np.ndarray, light: tuple[float, float, float], board: np.ndarray = BOARD) -> np.ndarray:
    """A picture (300, 360, 3) in which the outer corners of the squares are at `corners` (4, 2)."""
    warp = cv2.getPerspectiveTransform(SHAPE.corners_px(REFERENCE_SQUARE_PX).astype(np.float32), corners)
    seen = cv2.warpPerspective(board, warp, (360, 300), borderValue=(235, 235, 235)) * np.array(light)
    return np.clip(seen + np.random.default_rng(5).normal(0, 2, seen.shape), 0, 255).astype(np.uint8)


def test_a_board_that_lies_askew_in_lamplight_is_found_within_two_pixels(finder: BoardFinder) -> None:
    corners = np.array([[85, 48], [287, 55], [283, 252], [77, 246]], np.float32)
    place = finder.find(photographed(corners, (0.5, 0.65, 0.75)))
    assert place.found
    assert np.abs(place.corners_px - corners).max() < 2.0


def test_a_board_that_lies_turned_by_fifteen_degrees_is_found(finder: BoardFinder) -> None:
    turn = cv2.getRotationMatrix2D((180, 150), 15, 1)
    corners = np.array([[[85, 55], [275, 55], [275, 245], [85, 245]]], np.float32)
    corners = cv2.transform(corners, turn)[0].astype(np.float32)
    place = finder.find(photographed(corners, (0.8, 0.8, 0.8)))
    assert place.found
    assert np.abs(place.corners_px - corners).max() < 2.0


def test_a_board_without_colours_is_found_by_its_pattern() -> None:
    grey = cv2.cvtColor(cv2.cvtColor(BOARD, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    corners = np.array([[85, 48], [287, 55], [283, 252], [77, 246]], np.float32)
    place = BoardFinder(grey, SHAPE).find(photographed(corners, (0.6, 0.65, 0.7), grey))
    assert place.found
    assert np.abs(place.corners_px - corners).max() < 2.0


def test_no_board_is_found_in_a_picture_of_another_thing(finder: BoardFinder) -> None:
    picture = np.full((300, 360, 3), 150, np.uint8)
    cv2.circle(picture, (180, 150), 90, (40, 60, 160), -1)
    assert not finder.find(picture).found


def test_a_board_that_was_pushed_by_one_square_is_found_on_its_squares(finder: BoardFinder) -> None:
    corners = np.array([[85, 55], [275, 55], [275, 245], [85, 245]], np.float32)
    finder.find(photographed(corners, (0.8, 0.8, 0.8)))
    pushed = corners + np.float32([38, 0])  # the lines of the board lie on lines as before
    place = finder.find(photographed(pushed, (0.8, 0.8, 0.8)))
    assert np.abs(place.corners_px - pushed).max() < 2.0


def test_a_small_board_in_a_wide_picture_is_found() -> None:
    corners = np.array([[200, 120], [310, 122], [308, 230], [198, 228]], np.float32)
    picture = cv2.copyMakeBorder(
        photographed(corners, (0.8, 0.8, 0.8)), 0, 0, 0, 60, cv2.BORDER_CONSTANT, value=(180, 190, 190)
    )
    place = BoardFinder(BOARD, SHAPE).find(picture)
    assert place.found
    assert np.abs(place.corners_px - corners).max() < 2.0


def test_the_bow_of_a_wide_lens_is_found_with_the_board() -> None:
    straight = np.array([[40, 8], [322, 8], [322, 290], [40, 290]], np.float32)
    picture = photographed(straight, (0.8, 0.8, 0.8))
    across, down = np.meshgrid(np.arange(360), np.arange(300))
    shown = np.stack([across, down], axis=-1).reshape(-1, 2).astype(np.float64)
    at = straightened(shown, picture.shape, -0.06).astype(np.float32).reshape(300, 360, 2)
    barrel = cv2.remap(picture, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    place = BoardFinder(BOARD, SHAPE).find(barrel)
    assert place.bow == pytest.approx(-0.06, abs=0.02)
    assert np.abs(place.corners_px - bent(straight.astype(np.float64), picture.shape, -0.06)).max() < 2.0
    again = straightened(bent(shown, picture.shape, -0.06), picture.shape, -0.06)
    assert np.abs(again - shown).max() < 0.01
