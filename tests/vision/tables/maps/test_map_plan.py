"""Facts about the plan of a map: which spaces a piece covers, and what lies beside it."""

from __future__ import annotations

import pytest
from map_plan_kit import PAIR, SIDE_MM, STEP_MM, hexagon

from vision.tables.maps.map_plan import MapPlan, turned


@pytest.fixture(scope="module")
def plan() -> MapPlan:
    """A row of five spaces, and one under the first two."""
    row = [hexagon(f"s{k}", k * STEP_MM, 0.0) for k in range(5)]
    return MapPlan([*row, hexagon("low", STEP_MM / 2, 1.5 * SIDE_MM)], [PAIR])


def test_a_sixth_of_a_turn_is_clockwise_as_seen_from_above() -> None:
    # table frame: x right, y down; a place to the east comes to the south-east
    assert turned((2.0, 0.0), 1) == pytest.approx([1.0, 3**0.5])
    assert turned((2.0, 0.0), 6) == pytest.approx([2.0, 0.0])


def test_a_piece_covers_the_spaces_to_which_it_is_turned(plan: MapPlan) -> None:
    assert plan.lies_on("pair", "s0", 0) == ("s0", "s1")
    assert plan.lies_on("pair", "s0", 1) == ("s0", "low")
    assert plan.lies_on("pair", "s4", 0) == ("s4", None)
    assert plan.turns_of([("s0", "pair", 1), ("s4", "pair", 0)]) == {"s0": 1, "low": 1, "s4": 0}


def test_around_what_lies_there_is_where_one_more_fits_beside_it(plan: MapPlan) -> None:
    assert plan.around_laid([]) == ("s0", "s1", "s2", "s3", "s4", "low")
    assert plan.around_laid([("s0", "pair", 1)]) == ("s0", "s1", "s2", "low")


def test_beside_what_lies_there_is_all_that_is_a_step_away(plan: MapPlan) -> None:
    assert plan.beside_laid([("s0", "pair", 1)]) == ["s0", "s1", "low"]
    assert plan.beside_laid([]) == []


def test_neighbours_are_a_step_apart(plan: MapPlan) -> None:
    assert plan.beside(["s0", "s1", "s2", "low"], ["s1"]) == ["s0", "s1", "s2", "low"]
    assert plan.beside(["s3", "s4"], ["s1"]) == []
    assert plan.touches("low", ["s0"])
    assert not plan.touches("s3", ["s0", "low"])


def test_spaces_apart_touch_none_taken_before(plan: MapPlan) -> None:
    assert plan.apart(["s0", "s1", "s2", "low", "s3", "s4"]) == ["s0", "s2", "s4"]
    assert plan.apart(["low", "s0", "s3"]) == ["low", "s3"]
    assert plan.apart([]) == []
