"""Squares are found by their sides in any turn, the strongest first, one of those that lie together, of any size."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.locate.squares import _apart, _peaks, find_squares


@pytest.mark.parametrize("side_px", [38.0, 90.0], ids=["in two bytes", "in floats"])
@pytest.mark.parametrize("turn_deg", [0.0, 33.0])
def test_a_square_is_found_where_it_lies_in_its_turn(turn_deg: float, side_px: float) -> None:
    seen = np.full((260, 300, 3), 90, np.uint8)
    box = cv2.boxPoints(((130.0, 120.0), (side_px, side_px), turn_deg))
    cv2.fillPoly(seen, [np.round(box * 16).astype(np.int32)], (200, 180, 60), cv2.LINE_AA, 4)
    best = find_squares(seen, side_px, np.ones(seen.shape[:2], bool), 5)[0]
    # a side may lie a pixel off, and only every third degree is tried
    assert best.centre_px == pytest.approx([130.0, 120.0], abs=2.0)
    assert best.turn_deg == pytest.approx(turn_deg, abs=3.0)
    assert 0.5 < best.strength <= 1.0


def test_the_highest_of_each_hill_is_a_peak_even_at_the_rim() -> None:
    strength = np.zeros((20, 30), np.uint16)
    strength[0, 3], strength[1, 4], strength[10, 12], strength[10, 15], strength[19, 29] = 90, 80, 70, 60, 40
    rows, columns = _peaks(strength, 50.0)
    assert sorted(zip(rows.tolist(), columns.tolist(), strict=True)) == [(0, 3), (10, 12), (10, 15)]
    assert _peaks(strength, 95.0)[0].size == 0


def test_of_squares_that_lie_together_the_strongest_stays() -> None:
    found = [(0.9, 0, 10.0, 10.0), (0.8, 29, 11.0, 10.0), (0.7, 15, 10.0, 10.0), (0.6, 0, 40.0, 10.0)]
    assert _apart(found, 38.0, 5) == [found[0], found[2], found[3]]
    assert _apart(found, 38.0, 1) == [found[0]]
    assert _apart([], 38.0, 5) == []
