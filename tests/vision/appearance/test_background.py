"""A place is empty, shaded, printed on, or under an arm: told by the look of the table around it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.appearance.background import Background, CardUnderTile
from vision.appearance.canvas import Window
from vision.appearance.picture_light import from_light, to_light

PLACES = [np.array([[x, 0.0], [x + 50, 0.0], [x + 50, 50.0], [x, 50.0]]) for x in (0, 60)]
WINDOW = Window.around(np.vstack(PLACES), 32.0)
FELT = (60, 110, 70)


def table(seed: int = 2) -> np.ndarray:
    noise = np.random.default_rng(seed).normal(0, 3, (WINDOW.height_px, WINDOW.width_px, 3))
    return np.clip(np.array(FELT) + noise, 0, 255).astype(np.uint8)


def paint(seen: np.ndarray, x0: float, y0: float, x1: float, y1: float, colour: tuple[int, int, int]) -> None:
    a, b = (np.round(WINDOW.to_px(np.array(p))).astype(int).tolist() for p in ((x0, y0), (x1, y1)))
    cv2.rectangle(seen, a, b, colour, -1)


def test_bare_table_is_empty() -> None:
    around = Background(table(), WINDOW, PLACES)
    assert [around.is_empty(place) for place in PLACES] == [True, True]


@pytest.mark.parametrize("light", [0.65, 0.8, 1.05])
def test_table_in_a_shadow_or_in_more_light_is_empty(light: float) -> None:
    seen = table()
    x0, y0 = np.round(WINDOW.to_px(np.array([-5.0, -5.0]))).astype(int)
    x1, y1 = np.round(WINDOW.to_px(np.array([55.0, 55.0]))).astype(int)
    seen[y0:y1, x0:x1] = (seen[y0:y1, x0:x1] * light).astype(np.uint8)
    around = Background(seen, WINDOW, PLACES)
    assert around.is_empty(PLACES[0])
    assert around.is_shaded_table(PLACES[0])


def test_another_colour_is_not_empty_and_stripes_of_the_tables_own_colours_are_neither() -> None:
    seen = table()
    paint(seen, 0, 0, 50, 50, (40, 60, 180))
    for y in range(0, 50, 4):
        paint(seen, 60, y, 110, y + 1.5, (36, 66, 42))
    around = Background(seen, WINDOW, PLACES)
    assert [around.is_empty(place) for place in PLACES] == [False, False]


def test_places_asked_for_together_are_empty_as_each_by_itself() -> None:
    seen = table()
    paint(seen, 0, 0, 50, 50, (40, 60, 180))
    around = Background(seen, WINDOW, PLACES)
    assert around.are_empty(PLACES) == [around.is_empty(place) for place in PLACES] == [False, True]
    around.like_table()
    assert around.are_empty(PLACES) == [False, True]
    assert [around.is_shaded_table(place) for place in PLACES] == [False, True]


@pytest.mark.parametrize("light", [1.0, 0.2, 0.12])
def test_what_is_no_table_in_the_light_is_none_in_the_dark(light: float) -> None:
    seen = table()
    paint(seen, 0, 0, 50, 50, (85, 100, 105))
    seen = from_light(to_light(seen.astype(np.float32)) * light).clip(0, 255).astype(np.uint8)
    around = Background(seen, WINDOW, PLACES)
    assert [around.is_empty(place) for place in PLACES] == [False, True]


@pytest.mark.parametrize("turn_deg", [0.0, 30.0])
def test_a_thing_as_large_as_a_piece_is_told_from_a_seam_of_a_chequered_cloth(turn_deg: float) -> None:
    seen = table()
    rows, columns = np.indices(seen.shape[:2])
    turn = np.deg2rad(turn_deg)
    along, across = columns * np.cos(turn) + rows * np.sin(turn), rows * np.cos(turn) - columns * np.sin(turn)
    seen[(along // 37 + across // 37) % 2 == 1] += np.array([90, 60, 110], np.uint8)
    bare = Background(seen, WINDOW, PLACES)
    assert not any(bare.bears_thing(place) for place in PLACES)
    paint(seen, 20, 20, 30, 30, (190, 40, 10))
    around = Background(seen, WINDOW, PLACES)
    assert around.is_empty(PLACES[0])  # most of it
    assert [around.bears_thing(place) for place in PLACES] == [True, False]


def test_a_card_of_the_colour_of_a_paper_beside_the_places_stands_out_from_the_table_beside_it() -> None:
    seen, paper = table(), (150, 110, 100)
    paint(seen, 0, 0, 50, 50, paper)
    paint(seen, -32, -32, 0, -19, paper)
    around = Background(seen, WINDOW, PLACES)
    assert [around.is_empty(place) for place in PLACES] == [True, True]
    assert [around.stands_out(place, PLACES) for place in PLACES] == [True, False]


def test_a_card_that_lies_astray_stands_out_though_the_table_beside_its_place_is_a_little_of_it() -> None:
    seen, paper = table(), (150, 110, 100)
    paint(seen, -11, 0, 50, 50, paper)
    paint(seen, -32, -32, 0, -19, paper)
    around = Background(seen, WINDOW, PLACES)
    assert around.is_empty(PLACES[0])
    assert around.stands_out(PLACES[0], PLACES)


def test_bare_chequered_cloth_stands_out_from_none_of_it() -> None:
    seen = table()
    for x in range(-40, 160, 40):
        for y in range(-40, 100, 80):
            paint(seen, x, y + x % 80, x + 40, y + x % 80 + 40, (190, 200, 200))
    around = Background(seen, WINDOW, PLACES)
    assert not any(around.stands_out(place, PLACES) for place in PLACES)


def test_what_lies_on_the_table_reaches_over_no_place() -> None:
    seen = table()
    paint(seen, 10, 10, 40, 40, (120, 150, 210))
    around = Background(seen, WINDOW, PLACES)
    assert not any(around.is_reached_over(place) for place in PLACES)


def test_neither_what_lies_beside_the_places_nor_what_no_picture_shows_is_table() -> None:
    seen = table()
    paint(seen, 115, -20, 140, 20, (150, 150, 150))  # the grey of blurred print: a marker's paper beside the places
    seen[-20:] = 0  # beyond the picture's edge
    paint(seen, 0, 0, 50, 50, (150, 150, 150))
    paint(seen, 60, 0, 110, 50, (4, 4, 4))
    paper = np.array([[120.0, -20.0], [135.0, -20.0], [135.0, 20.0], [120.0, 20.0]])
    assert Background(seen, WINDOW, PLACES).is_empty(PLACES[0])
    assert [Background(seen, WINDOW, PLACES, beside_mm=[paper]).is_empty(place) for place in PLACES] == [False, False]


RED = (60, 50, 200)
CARD = CardUnderTile(RED, PLACES[0] - 14.0, PLACES[0])


@pytest.mark.parametrize("astray_mm", [-5.0, 0.0, 5.0])
def test_the_corner_card_that_lies_bare_counts_as_table(astray_mm: float) -> None:
    seen = table()
    paint(seen, astray_mm - 14, astray_mm - 14, astray_mm + 36, astray_mm + 36, RED)
    assert not Background(seen, WINDOW, PLACES).is_empty(PLACES[0])
    assert Background(seen, WINDOW, PLACES, CARD).is_empty(PLACES[0])


def test_what_has_the_cards_colour_on_a_tile_of_the_tables_colour_is_no_card() -> None:
    seen = table()
    paint(seen, -14, -14, 36, 36, RED)
    paint(seen, 0, 0, 50, 50, FELT)
    for x, y in ((3, 12), (20, 12), (20, 34), (80, 20)):  # the first touches the card
        paint(seen, x, y, x + 13, y + 13, RED)
    around = Background(seen, WINDOW, PLACES, CARD)
    assert [around.bears_thing(place) for place in PLACES] == [True, True]
    assert not around.is_empty(PLACES[0])


SKIN = (120, 150, 210)


def with_hand(seen: np.ndarray, x0: float, y0: float, x1: float, y1: float) -> np.ndarray:
    """The table with something over the ring and a part of the left place."""
    out = seen.copy()
    paint(out, x0, y0, x1, y1, SKIN)
    return out


@pytest.mark.parametrize("hand", [(-40, 5, 50, 60), (5, -40, 50, 50), (-40, -40, 46, 50)])
def test_what_has_come_into_the_ring_from_one_side_or_over_a_corner_is_no_table(
    hand: tuple[float, float, float, float],
) -> None:
    seen = with_hand(table(), *hand)
    assert Background(seen, WINDOW, PLACES).is_empty(PLACES[0])  # nothing tells it from a mat
    around = Background(seen, WINDOW, PLACES, earlier_bgr=table(3))
    assert [around.is_empty(place) for place in PLACES] == [False, True]
    assert around.is_reached_over(PLACES[0])
    by_itself = Background(seen, WINDOW, PLACES, across=True)
    assert [by_itself.is_empty(place) for place in PLACES] == [False, True]


@pytest.mark.parametrize("light", [0.7, 1.0, 1.3])
def test_a_mat_on_one_side_that_was_there_before_is_table_in_any_light(light: float) -> None:
    before = with_hand(table(3), 5, -40, 50, 60)
    seen = (with_hand(table(), 5, -40, 50, 60) * light).clip(0, 255).astype(np.uint8)
    around = Background(seen, WINDOW, PLACES, earlier_bgr=before)
    assert [around.is_empty(place) for place in PLACES] == [True, True]


@pytest.mark.parametrize("light", [0.5, 1.6])
def test_sun_or_a_deep_shadow_that_comes_over_one_half_leaves_the_table_bare(light: float) -> None:
    seen = table().astype(float)
    half = round(float(WINDOW.to_px(np.array([55.0, 0.0]))[0]))
    seen[:, :half] *= light
    around = Background(seen.clip(0, 255).astype(np.uint8), WINDOW, PLACES, earlier_bgr=table(3))
    assert [around.is_empty(place) for place in PLACES] == [True, True]


def test_what_lay_in_the_ring_before_and_is_gone_bares_table() -> None:
    around = Background(table(), WINDOW, PLACES, earlier_bgr=with_hand(table(3), 5, -40, 50, 60))
    assert [around.is_empty(place) for place in PLACES] == [True, True]
