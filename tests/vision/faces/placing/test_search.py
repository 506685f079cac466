"""The first search names the picture, its turn and its place, however bright the crop is."""

from __future__ import annotations

import numpy as np
import pytest
from patchwork import patchwork

from vision.faces.placing.search import Grid, SearchIndex

PICTURES = np.stack([patchwork(seed) for seed in range(5)])
INDEX = SearchIndex.build(PICTURES, (0, 1, 2, 3))


@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("number", [0, 3])
def test_a_turned_picture_is_found_in_its_turn(number: int, turn: int) -> None:
    cost, shifts = INDEX.search(np.ascontiguousarray(np.rot90(PICTURES[number], -turn)), 0.0)
    assert np.unravel_index(cost.argmin(), cost.shape) == (turn, number)
    assert cost[turn, number] < 0.01
    assert np.abs(shifts[turn, number]).max() == 0


def test_half_the_light_names_no_other_picture() -> None:
    cost, _ = INDEX.search(PICTURES[2] * np.float32(0.5), 0.0)
    assert np.unravel_index(cost.argmin(), cost.shape) == (0, 2)


def test_a_picture_is_found_beside_the_middle_of_a_crop() -> None:
    crop = np.full((72, 72, 3), 0.5, np.float32)  # a margin of a quarter of the piece on each side
    crop[12:60, 18:66] = PICTURES[4]  # an eighth of the piece to the right
    cost, shifts = INDEX.search(crop, 0.25)
    assert np.unravel_index(cost.argmin(), cost.shape) == (0, 4)
    np.testing.assert_allclose(shifts[0, 4], (1 / 8, 0), atol=0.03)


def test_a_picture_is_searched_only_in_the_turns_that_are_given() -> None:
    cost, shifts = SearchIndex.build(PICTURES, (0, 2)).search(PICTURES[1], 0.0)
    assert cost.shape == (2, 5)
    assert shifts.shape == (2, 5, 2)


def test_places_are_a_grid_about_the_middle() -> None:
    grid = Grid.of((100, 200))
    shifts = grid.shifts()
    assert len(shifts) == grid.places
    assert grid.rows > grid.cols
    assert [0, 0] in shifts.tolist()
    np.testing.assert_allclose(shifts, -shifts[::-1])
