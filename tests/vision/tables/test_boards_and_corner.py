"""Which cell a cut-out stands for, and where the corner card lies."""

from __future__ import annotations

import numpy as np
import pytest

from vision.appearance.canvas import Window
from vision.appearance.placed_face import PX_PER_MM
from vision.tables.boards import to_grid
from vision.tables.corner_card import CORNERS, card_of, read_corner
from vision.tables.grid import GridPlan


@pytest.mark.parametrize(
    ("corner", "cell"),
    [("tl", (0, 1)), ("br", (2, 1)), ("tr", (1, 2)), ("bl", (1, 0)), (None, (0, 1))],
)
def test_cutout_beside_the_red_corner_follows_the_corner_card(corner: str | None, cell: tuple[int, int]) -> None:
    # E12: the board is turned so that its red corner matches the card; cut-out r1c2 of a 3 x 3 grid
    assert to_grid(0, 1, (3, 3), corner) == cell


def places_of(plan: GridPlan) -> list[np.ndarray]:
    return [plan.corners_mm(row, col) for row, col in plan.cells()]


def window_of(plan: GridPlan) -> Window:
    return Window.around(np.vstack(places_of(plan)), 32.0)


def card_on(corner: str, table: tuple[int, int, int], card: tuple[int, int, int]) -> tuple[GridPlan, np.ndarray]:
    plan = GridPlan(2, 3)
    window = window_of(plan)
    seen = np.full((window.height_px, window.width_px, 3), table, np.uint8)
    seen = np.clip(seen + np.random.default_rng(5).normal(0, 4, seen.shape), 0, 255).astype(np.uint8)
    places = places_of(plan)
    place = {"tl": places[0], "tr": places[2], "br": places[5], "bl": places[3]}[corner]
    out = {"tl": (-14, -14), "tr": (14, -14), "br": (14, 14), "bl": (-14, 14)}[corner]
    (x0, y0), (x1, y1) = window.to_px(place[[0, 2]] + out).round().astype(int)
    seen[y0:y1, x0:x1] = card
    for one in places:
        (x0, y0), (x1, y1) = window.to_px(one[[0, 2]]).round().astype(int)
        seen[y0:y1, x0:x1] = (60, 140, 60)
    return plan, seen


@pytest.mark.parametrize("corner", CORNERS)
@pytest.mark.parametrize("table", [(90, 110, 130), (60, 60, 140)], ids=["brown table", "dark red felt"])
def test_corner_card_is_found_on_any_corner(corner: str, table: tuple[int, int, int]) -> None:
    plan, seen = card_on(corner, table, (70, 60, 200))
    reading = read_corner(seen, window_of(plan), places_of(plan), plan.cols)
    assert reading.corner == corner
    assert reading.p > 0.5


@pytest.mark.parametrize("corner", CORNERS)
def test_the_card_lies_under_the_tile_that_it_sticks_out_of(corner: str) -> None:
    plan, seen = card_on(corner, (90, 110, 130), (70, 60, 200))
    card = card_of(read_corner(seen, window_of(plan), places_of(plan), plan.cols), places_of(plan), plan.cols)
    assert card is not None
    (x0, y0), (x1, y1) = window_of(plan).to_px(card.corners_mm[[0, 2]]).round().astype(int)
    red = seen[..., 2] == 200
    assert red[y0:y1, x0:x1].sum() == red.sum() > 0
    assert np.ptp(card.hidden_mm(), axis=0).tolist() == pytest.approx((np.ptp(card.place_mm, axis=0) - 14.0).tolist())


def test_the_edge_of_the_sun_on_a_red_cloth_is_no_surer_than_the_card() -> None:
    plan, seen = card_on("tr", (60, 60, 140), (30, 20, 190))
    window = window_of(plan)
    x, y = window.to_px(places_of(plan)[5][2] + 14.0).round().astype(int)  # beyond where a card would end
    near = round(80.0 * PX_PER_MM)
    seen[y:, x - near :], seen[y - near :, x:] = (90, 90, 210), (90, 90, 210)
    assert read_corner(seen, window, places_of(plan), plan.cols).corner == "tr"


def test_without_a_card_no_corner_is_named() -> None:
    plan, seen = card_on("tl", (90, 110, 130), (90, 110, 130))
    assert read_corner(seen, window_of(plan), places_of(plan), plan.cols).corner is None
