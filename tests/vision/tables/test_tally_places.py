"""Tiles that lie anywhere: outlines of one place are kept together, and tiles lie beside each other."""

from __future__ import annotations

import numpy as np
import pytest

from vision.locate.plane import square_at
from vision.tables.place import TILE, PlaceReading, PlaceState
from vision.tables.tally_places import Candidate, add_candidate, is_free, on_any, without_overlaps

SIDE_MM = 50.0


def tile(x: float, y: float, p: float, turn_deg: float = 0.0) -> PlaceReading:
    corners = square_at(np.array([x, y]), SIDE_MM, turn_deg)
    return PlaceReading("", TILE, PlaceState.FACE, "leaf", p, corners_mm=corners)


def candidate(x: float, y: float) -> Candidate:
    return Candidate(np.array([x, y]), 0.0, 2)


@pytest.mark.parametrize(
    ("point", "inside"),
    [((5, 5), True), ((0, 5), True), ((25, 25), True), ((15, 5), False), ((22, 22), False)],
)
def test_a_point_lies_on_a_printed_quadrilateral_or_beside_all_of_them(point: tuple[int, int], inside: bool) -> None:
    upright = np.array([[0, 0], [10, 0], [10, 10], [0, 10]])
    lozenge = np.array([[25, 20], [30, 25], [25, 30], [20, 25]])  # (22, 22) is within its box and not on it
    assert on_any(np.array(point), [upright, lozenge]) == inside


def test_outlines_around_one_middle_are_one_place_and_those_farther_off_another() -> None:
    places: list[list[Candidate]] = []
    for one in (candidate(0, 0), candidate(60, 0), candidate(4, 3), candidate(57, 2)):
        add_candidate(places, one, near_mm=10.0)
    assert [[tuple(c.centre_mm) for c in place] for place in places] == [[(0, 0), (4, 3)], [(60, 0), (57, 2)]]


def test_a_place_is_where_its_first_outline_lies_so_that_it_cannot_wander() -> None:
    places: list[list[Candidate]] = []
    for x in (0, 8, 16):
        add_candidate(places, candidate(x, 0), near_mm=10.0)
    assert [len(place) for place in places] == [2, 1]


@pytest.mark.parametrize("turn_deg", [0.0, 30.0])
def test_a_tile_may_lie_edge_to_edge_with_another_and_not_half_on_it(turn_deg: float) -> None:
    lying = [tile(0, 0, 0.9, turn_deg)]
    assert is_free(np.array([SIDE_MM, 0.0]), lying, SIDE_MM)
    assert not is_free(np.array([SIDE_MM / 2, 0.0]), lying, SIDE_MM)
    assert is_free(np.array([0.0, 0.0]), [], SIDE_MM)


def test_of_tiles_that_overlap_the_likelier_stays_and_those_apart_all_do() -> None:
    doubtful, sure, beside = tile(0, 0, 0.6), tile(10, 0, 0.99), tile(60, 0, 0.5)
    assert without_overlaps([doubtful, sure, beside], SIDE_MM) == [sure, beside]


def test_a_tile_that_gave_way_takes_no_room_itself() -> None:
    left, middle, right = tile(0, 0, 0.9), tile(30, 0, 0.8), tile(60, 0, 0.7)
    assert without_overlaps([middle, right, left], SIDE_MM) == [left, right]
