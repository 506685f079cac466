"""Places of a piece that lies turned in its picture, or under another piece."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from patchwork import as_photograph, patchwork

from vision.faces.placing.turned import TurnedIndex, shifted_out

WH = (40, 64)
PIECES = np.stack([patchwork(seed, WH) for seed in (1, 2)])
INDEX = TurnedIndex.build(PIECES)


def turned(angle_deg: float) -> tuple[np.ndarray, np.ndarray]:
    """The first piece on a grey table turned clockwise, in a picture cut about it; its corners (4, 2) px there."""
    angle = np.radians(angle_deg)
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    corners = np.array([[0, 0], [WH[0], 0], WH, [0, WH[1]]]) - 0.5
    middle = (np.array(WH) - 1) / 2
    reach = (corners - middle) @ turn.T
    size = np.ceil(np.ptp(reach, axis=0)).astype(int)
    to = np.column_stack([turn, (size - 1) / 2 - turn @ middle])
    picture = cv2.warpAffine(as_photograph(PIECES[0]), to, tuple(size.tolist()), borderValue=(128, 128, 128))
    return picture, reach + (size - 1) / 2


@pytest.mark.parametrize("angle_deg", [-30.0, 18.0])
def test_the_likeliest_place_of_a_turned_piece_is_where_it_lies(angle_deg: float) -> None:
    picture, corners = turned(angle_deg)
    best = INDEX.places(picture)[0]
    away = min(np.abs(np.roll(best, k, axis=0) - corners).max() for k in (0, 2))  # upside down is the same place
    assert away < 4.0


def test_places_differ_from_each_other() -> None:
    places = INDEX.places(turned(18.0)[0])
    gaps = [np.abs(a - b).mean() for n, a in enumerate(places) for b in places[:n]]
    assert len(places) > 1
    assert min(gaps) > 4.0


def test_a_piece_of_which_the_lower_part_is_covered_is_placed_beyond_its_picture() -> None:
    seen = as_photograph(PIECES[0])[:36]  # of 64 rows
    best = INDEX.places(seen)[0]
    low, high = best.min(axis=0), best.max(axis=0)
    np.testing.assert_allclose(low, (0, 0), atol=3)
    np.testing.assert_allclose(high, WH, atol=4)


@pytest.mark.parametrize(
    ("left_top", "right_bottom", "shifted"),
    [
        ((0, 0), (40, 64), False),  # fills its box
        ((0, -15), (40, 49), True),  # a quarter out above, a quarter empty below
        ((12, 0), (52, 64), True),
        ((0, -30), (40, 64), False),  # covered above by what the box leaves out
        ((4, 8), (36, 56), False),  # a loose box
        ((-1, -3), (39, 61), False),  # boxes are drawn a few percent off
    ],
)
def test_a_piece_out_over_one_side_with_room_on_the_other_is_shifted_out(
    left_top: tuple[int, int], right_bottom: tuple[int, int], shifted: bool
) -> None:
    (x0, y0), (x1, y1) = left_top, right_bottom
    corners = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float64)
    assert shifted_out(corners, WH[::-1]) is shifted
