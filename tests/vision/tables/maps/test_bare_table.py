"""Facts about the bare table of a map: which spaces show more than what lies beside the tiles."""

from __future__ import annotations

import numpy as np
import pytest
from map_plan_kit import PAIR, STEP_MM, hexagon

from vision.appearance.canvas import Window
from vision.tables.changes import find_changes
from vision.tables.maps.bare_table import KEPT_LOOKS, BareTable
from vision.tables.maps.map_plan import MapPlan

FELT_BGR, THING_BGR = (60, 90, 50), (40, 40, 200)


@pytest.fixture(scope="module")
def plan() -> MapPlan:
    return MapPlan([hexagon(f"s{k}", k * STEP_MM, 0.0) for k in range(4)], [PAIR])


def seen_with_thing(plan: MapPlan) -> tuple[Window, np.ndarray]:
    """Felt from above, with a thing of another colour on space s2."""
    window = Window.around(np.vstack(list(plan.spaces_mm.values())), 60.0)
    seen = np.full((window.height_px, window.width_px, 3), FELT_BGR, np.uint8)
    box = np.round(window.to_px(plan.spaces_mm["s2"])).astype(int)
    (left, top), (right, bottom) = box.min(0), box.max(0)
    seen[top:bottom, left:right] = THING_BGR
    return window, seen


def table_with_thing(plan: MapPlan) -> BareTable:
    window, seen = seen_with_thing(plan)
    return BareTable(plan, seen, window)


def followed(plan: MapPlan, before: BareTable, seen: np.ndarray) -> BareTable:
    window, then = seen_with_thing(plan)
    return BareTable(plan, seen, window, before.looks(), find_changes(then, seen))


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


def test_a_look_is_kept_in_the_light_of_now_while_nothing_has_changed_beside_the_tiles(plan: MapPlan) -> None:
    first = table_with_thing(plan)
    look = first.beside(["s0", "s3"])
    _, seen = seen_with_thing(plan)
    brighter = np.round(1.02 * seen).astype(np.uint8)
    brighter[-5:, 300:303] += 20  # a spot that is less than what counts
    again = followed(plan, first, brighter)
    # in the mean light of the channels, 61/60, 92/90 and 51/50, and not in their own, as it would be told anew
    assert again.beside(["s0", "s3"]).samples == pytest.approx(1.0196 * look.samples, rel=1e-4)
    assert again.not_empty(["s0", "s1", "s2"], ["s0", "s3"]) == ["s2"]
    assert again.looks().keys() == first.looks().keys()
    assert next(iter(again.looks().values())).samples == pytest.approx(look.samples)


def test_a_look_is_told_anew_and_not_kept_where_something_has_come_beside_the_tiles(plan: MapPlan) -> None:
    first = table_with_thing(plan)
    look = first.beside(["s0", "s3"])
    _, seen = seen_with_thing(plan)
    seen[-60:, :] = (90, 60, 160)
    again = followed(plan, first, seen)
    told = again.beside(["s0", "s3"])
    assert np.ptp(look.samples, axis=0).max() == 0.0
    assert np.ptp(told.samples, axis=0).max() > 50.0
    assert not again.looks()


def test_no_more_looks_are_kept_than_are_asked_for(plan: MapPlan) -> None:
    table = table_with_thing(plan)
    for laid in (["s0"], ["s1"], ["s0", "s1"]):
        table.beside(laid)
    _, seen = seen_with_thing(plan)
    again = followed(plan, table, seen)
    again.beside(["s1", "s3"])
    last = followed(plan, again, seen)
    last.beside(["s0"])
    assert len(again.looks()) == KEPT_LOOKS
    assert next(iter(again.looks())) == next(iter(followed(plan, again, seen).looks()))
    assert len(last.looks()) == KEPT_LOOKS
