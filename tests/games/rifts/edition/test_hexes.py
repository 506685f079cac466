"""Hexagonal spaces: neighbours, turns and corners agree with distances measured in millimetres."""

from __future__ import annotations

from math import cos, dist, isclose, pi, sin, sqrt

import pytest

from companion.games.rifts.edition.hexes import (
    DIRECTIONS,
    OFF,
    TURNS,
    corners_mm,
    distance,
    make_grid,
    middle_mm,
    turned,
)

SIDE_MM = 10.0
GRID = make_grid(3)


def middle(cell: int) -> tuple[float, float]:
    return middle_mm(GRID.cells[cell], SIDE_MM)


def test_a_grid_has_the_spaces_up_to_its_radius_and_names_each_once():
    assert len(GRID.cells) == 1 + 6 + 12 + 18
    assert len(set(GRID.names)) == len(GRID.cells)
    assert (GRID.names[0], GRID.names[GRID.middle], GRID.names[-1]) == ("a1", "d4", "g4")


def test_neighbours_are_the_spaces_whose_middles_are_one_width_apart():
    for a in range(len(GRID.cells)):
        near = {b for b in range(len(GRID.cells)) if isclose(dist(middle(a), middle(b)), sqrt(3) * SIDE_MM)}
        assert set(GRID.neighbours[a]) - {OFF} == near


def test_neighbours_go_clockwise_from_the_north_east():
    (x, y), near = middle(GRID.middle), [middle(n) for n in GRID.neighbours[GRID.middle]]
    for step, (nx, ny) in enumerate(near):
        angle = -pi / 3 + step * pi / 3  # y points down, so that a growing angle goes clockwise
        assert isclose(nx - x, sqrt(3) * SIDE_MM * cos(angle), abs_tol=1e-9)
        assert isclose(ny - y, sqrt(3) * SIDE_MM * sin(angle), abs_tol=1e-9)


def test_a_corner_is_where_three_spaces_touch_each_other():
    cells = range(len(GRID.cells))
    touching = {(a, b) for a in cells for b in cells if isclose(dist(middle(a), middle(b)), sqrt(3) * SIDE_MM)}
    triples = {
        (a, b, c)
        for a, b in touching
        for c in cells
        if a < b < c and (a, c) in touching and (b, c) in touching
    }
    assert set(GRID.corners) == triples
    for name, corner in zip(GRID.corner_names, GRID.corners, strict=True):
        shared = [{(round(x, 6), round(y, 6)) for x, y in corners_mm(GRID.cells[cell], SIDE_MM)} for cell in corner]
        assert len(set.intersection(*shared)) == 1
        assert name == "|".join(GRID.names[cell] for cell in corner)


@pytest.mark.parametrize("turn", range(TURNS))
def test_a_turn_is_a_rotation_by_sixths_clockwise(turn):
    angle = turn * pi / 3
    for cell in GRID.cells:
        x, y = middle_mm(cell, SIDE_MM)
        there = middle_mm(turned(cell, turn), SIDE_MM)
        assert isclose(there[0], x * cos(angle) - y * sin(angle), abs_tol=1e-9)
        assert isclose(there[1], x * sin(angle) + y * cos(angle), abs_tol=1e-9)


def test_distance_counts_steps():
    steps = {(0, 0): 0}
    edge = [(0, 0)]
    while edge:
        q, r = edge.pop(0)
        for dq, dr in DIRECTIONS:
            there = (q + dq, r + dr)
            if there in GRID.index and there not in steps:
                steps[there] = steps[q, r] + 1
                edge.append(there)
    assert {cell: distance((0, 0), cell) for cell in GRID.cells} == steps
