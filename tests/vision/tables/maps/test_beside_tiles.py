"""A tile that is laid beside others does not make what stands on these be searched again."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.core.layout import SlotOutline
from vision.appearance.canvas import Window
from vision.tables.changes import Changes
from vision.tables.maps.beside_tiles import EDGE_MM, still_asked
from vision.tables.maps.map_plan import MapPlan
from vision.tables.zone import SpaceOnMap

SIDE_MM = 32.0
STEP_MM = SIDE_MM * 3**0.5
ANGLES = np.deg2rad(np.arange(6) * 60.0 - 90.0)
HEXAGON = SIDE_MM * np.column_stack([np.cos(ANGLES), np.sin(ANGLES)])
MIDDLES = {"old": (0.0, 0.0), "new": (STEP_MM / 2, 1.5 * SIDE_MM), "far": (4 * STEP_MM, 0.0)}
PLAN = MapPlan(
    [SlotOutline(slot, tuple(map(tuple, HEXAGON + middle)), "location") for slot, middle in MIDDLES.items()], ()
)
WINDOW = Window.around(np.array([[-60.0, -60.0], [290.0, 120.0]]), 20.0)
BEFORE = {"old": SpaceOnMap("a", 0.0, "old"), "far": SpaceOnMap("b", 0.0, "far")}
AFTER = {**BEFORE, "new": SpaceOnMap("c", 60.0, "new")}


def changed(*polygons_mm: np.ndarray) -> Changes:
    """Pictures that differ within these."""
    out = np.zeros((WINDOW.height_px, WINDOW.width_px), np.uint8)
    for corners in polygons_mm:
        cv2.fillConvexPoly(out, np.round(WINDOW.to_px(corners)).astype(np.int32), 1)
    return Changes(out, 1.0, np.zeros((*out.shape, 3), np.uint8))


def disc(x: float, y: float, width: float) -> np.ndarray:
    return np.array([x, y]) + width / 2 * np.column_stack([np.cos(ANGLES), np.sin(ANGLES)])


NEW_TILE = HEXAGON * (1 + EDGE_MM / 2 / SIDE_MM) + MIDDLES["new"]


def test_a_space_beside_a_new_tile_is_not_asked_for_what_the_tile_has_changed() -> None:
    assert changed(NEW_TILE).within(WINDOW.box(PLAN.spaces_mm["old"], 6.0))
    assert list(still_asked(PLAN, WINDOW, BEFORE, AFTER, ("old", "new"), changed(NEW_TILE))) == ["new"]


@pytest.mark.parametrize("x_y", [(0.0, 0.0), (8.0, 12.0), (-15.0, 5.0)])
def test_a_space_to_which_a_piece_came_with_the_tile_beside_it_is_asked(x_y: tuple[float, float]) -> None:
    both = changed(NEW_TILE, disc(*x_y, 10.0))
    assert list(still_asked(PLAN, WINDOW, BEFORE, AFTER, ("old", "new"), both)) == ["old", "new"]


def test_what_is_due_by_turn_or_shows_another_tile_is_asked() -> None:
    turned = {**AFTER, "old": SpaceOnMap("a", 60.0, "old")}
    assert list(still_asked(PLAN, WINDOW, BEFORE, turned, ("old", "far"), changed(NEW_TILE))) == ["old", "far"]


def test_all_that_is_due_is_asked_where_every_space_shows_what_it_showed() -> None:
    assert list(still_asked(PLAN, WINDOW, BEFORE, BEFORE, ("old",), changed(NEW_TILE))) == ["old"]
