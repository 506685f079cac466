"""Outlines of flat pieces: how large they are, and about what and in how many turns they turn."""

from __future__ import annotations

from math import pi, sqrt

import pytest

from companion.core.piece_outline import PieceOutline, disc_outline, hexagons_outline, rectangle_outline

STEP = 26.0 * sqrt(3)
ONE = [(0.0, 0.0)]
LINE = [(0.0, 0.0), (STEP, 0.0), (2 * STEP, 0.0)]
TRIANGLE = [(0.0, 0.0), (STEP, 0.0), (STEP / 2, 39.0)]
BEND = [(0.0, 0.0), (STEP, 0.0), (1.5 * STEP, 39.0)]
RING = [(x * STEP, y * 39.0) for x, y in ((0, 0), (1, 0), (-0.5, 1), (1.5, 1), (0, 2), (1, 2))]
HEXAGON_MM2 = 1.5 * sqrt(3) * 26.0**2


@pytest.mark.parametrize(
    ("outline", "turns", "area_mm2"),
    [
        (rectangle_outline((44.0, 68.0)), 2, 44.0 * 68.0),
        (rectangle_outline((55.0, 55.0)), 4, 55.0**2),
        (hexagons_outline(ONE, 26.0), 6, HEXAGON_MM2),
        (hexagons_outline(LINE, 26.0), 2, 3 * HEXAGON_MM2),
        (hexagons_outline(TRIANGLE, 26.0), 3, 3 * HEXAGON_MM2),
        (hexagons_outline(BEND, 26.0), 1, 3 * HEXAGON_MM2),
    ],
)
def test_an_outline_knows_its_turns_and_its_area(outline: PieceOutline, turns: int, area_mm2: float) -> None:
    assert outline.turns == turns
    assert outline.area_mm2 == pytest.approx(area_mm2)


def test_three_hexagons_turn_about_the_corner_they_share_and_lie_in_the_middle_of_their_rectangle() -> None:
    outline = hexagons_outline(TRIANGLE, 26.0)
    assert len(outline.corners_mm) == 12
    assert outline.size_mm == pytest.approx((2 * STEP, 91.0))
    shared = tuple(sum(part[k] for part in outline.parts_mm) / 3 for k in (0, 1))
    assert outline.middle_mm == pytest.approx(shared)
    assert max(x for x, _ in outline.corners_mm) == pytest.approx(-min(x for x, _ in outline.corners_mm))


def test_a_disc_tells_no_turn() -> None:
    assert disc_outline(20.0).is_round
    assert disc_outline(20.0).area_mm2 == pytest.approx(pi * 100, rel=0.01)
    assert not hexagons_outline(ONE, 26.0).is_round


def test_a_ring_with_a_hole_is_no_piece() -> None:
    with pytest.raises(ValueError, match="hole"):
        hexagons_outline(RING, 26.0)
