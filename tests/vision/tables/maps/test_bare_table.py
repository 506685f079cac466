"""Facts about the bare table of a map: which spaces show more than what lies beside the tiles."""

from __future__ import annotations

import numpy as np
import pytest
from map_plan_kit import PAIR, STEP_MM, hexagon

from vision.appearance.canvas import Window
from vision.tables.maps.bare_table import BareTable
from vision.tables.maps.map_plan import MapPlan

FELT_BGR, THING_BGR = (60, 90, 50), (40, 40, 200)


@pytest.fixture(scope="module")
def plan() -> MapPlan:
    return MapPlan([hexagon(f"s{k}", k * STEP_MM, 0.0) for k in range(4)], [PAIR])


def table_with_thing(plan: MapPlan) -> BareTable:
    """Felt, with a thing of another colour on space s2."""
    window = Window.around(np.vstack(list(plan.spaces_mm.values())), 60.0)
    seen = np.full((window.height_px, window.width_px, 3), FELT_BGR, np.uint8)
    box = np.round(window.to_px(plan.spaces_mm["s2"])).astype(int)
    (left, top), (right, bottom) = box.min(0), box.max(0)
    seen[top:bottom, left:right] = THING_BGR
    return BareTable(plan, seen, window)


def test_a_space_with_a_thing_on_it_is_not_empty_and_felt_is(plan: MapPlan) -> None:
    table = table_with_thing(plan)
    assert table.not_empty(["s0", "s1", "s2"], ["s3"]) == ["s2"]
    assert table.not_empty([], ["s3"]) == []


def test_what_little_of_the_table_shows_is_none_of_it_where_nothing_is_laid(plan: MapPlan) -> None:
    assert table_with_thing(plan).not_empty(["s1", "s2"], []) == ["s2"]


def test_the_look_beside_tiles_that_fill_the_same_part_is_told_once(plan: MapPlan) -> None:
    table = table_with_thing(plan)
    assert table.beside(["s0", "s1", "s3"]) is table.beside(["s0", "s3"])
    assert table.beside(["s0", "s3"]) is not table.beside(["s0", "s1"])
