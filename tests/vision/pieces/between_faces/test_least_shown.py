"""How much of a piece's foot shows wherever in a gap it may stand: margins hide nothing, what has room for one may."""

from __future__ import annotations

import numpy as np
import pytest

from vision.pieces.between_faces.gaps import KNOWN_SHARE, least_shown

SIDE_PX = 24


def gap(height: int, width: int, *unknown: tuple[slice, slice]) -> np.ndarray:
    known = np.ones((height, width), bool)
    for where in unknown:
        known[where] = False
    return known


ALL = slice(None)
LEFT, RIGHT, TOP, BOTTOM = (ALL, slice(0, 6)), (ALL, slice(-6, None)), (slice(0, 6), ALL), (slice(-6, None), ALL)


@pytest.mark.parametrize(
    ("known", "believed"),
    [
        (gap(102, 39), True),
        (gap(102, 39, LEFT, RIGHT), True),  # unnamed cards on both sides: a third of the gap, and no room for a piece
        (gap(39, 66, TOP, BOTTOM, LEFT), True),
        (gap(102, 39, (slice(30, 54), slice(8, 32))), False),  # a thing as large as a piece, a sixth of the gap
        (gap(102, 39, (slice(0, 30), ALL)), False),
        (gap(102, 39, (ALL, slice(0, 20))), False),
        (gap(15, 66, (slice(0, 4), ALL)), True),  # a gap that is narrower than the piece
        (gap(15, 66, (slice(0, 9), ALL)), False),
        (gap(102, 39, (ALL, ALL)), False),
    ],
)
def test_what_has_room_for_a_piece_may_hide_one(known: np.ndarray, believed: bool) -> None:
    assert (least_shown(known, SIDE_PX) > KNOWN_SHARE) == believed


def test_it_is_the_least_over_all_places_of_the_piece() -> None:
    rng = np.random.default_rng(5)
    known = rng.random((40, 37)) < 0.7
    by_hand = min(
        known[y : y + SIDE_PX, x : x + SIDE_PX].mean() for y in range(40 - SIDE_PX + 1) for x in range(37 - SIDE_PX + 1)
    )
    assert least_shown(known, SIDE_PX) == pytest.approx(by_hand, abs=1e-6)
