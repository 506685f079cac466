"""Coins that came or went since an earlier look at a purse, whatever the table under it looks like."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.core.layout import Coin
from vision.count.discs.edges import find_edges
from vision.tables.changes import find_changes
from vision.tables.purses.change import change_of_purse
from vision.tables.purses.coins import PX_PER_MM, WIDER_MM, sum_of_coins

COINS = (Coin(1, 18.0), Coin(5, 25.0))
Lying = tuple[float, float, float]
"""x, y and width of a coin, mm."""


def look(*coins: Lying, seed: int, like_table: bool = False) -> np.ndarray:
    """(240, 240, 3) uint8: coins on a chequered cloth of three colours, from above; `like_table`: their faces have the
    colour of its palest squares."""
    x, y = np.meshgrid(np.arange(240) // 56 % 2, np.arange(240) // 56 % 2)
    cloth = np.array([[150, 90, 70], [190, 150, 140], [215, 212, 210]], float)[x + y]
    picture = cloth.astype(np.uint8)
    for x_mm, y_mm, width in coins:
        middle = np.round(16 * np.array([x_mm, y_mm]) * PX_PER_MM).astype(int).tolist()
        face = (215, 212, 210) if like_table else (150, 175, 185)
        for share, colour in ((1.0, face), (0.7, (70, 66, 60)), (0.6, face), (0.25, (70, 66, 60))):
            radius = round(16 * share * (width + WIDER_MM) / 2 * PX_PER_MM)
            cv2.circle(picture, middle, radius, colour, -1, cv2.LINE_AA, 4)
    noise = np.random.default_rng(seed).normal(0, 2, picture.shape)
    return np.clip(cv2.GaussianBlur(picture.astype(float), (0, 0), 0.8) + noise, 0, 255).astype(np.uint8)


def change(before: np.ndarray, now: np.ndarray) -> int | None:
    return change_of_purse(before, now, find_changes(before, now), COINS)


ONE, TWO, FIVE, OTHER = (40.0, 45.0, 18.0), (90.0, 100.0, 18.0), (60.0, 80.0, 25.0), (100.0, 40.0, 25.0)


@pytest.mark.parametrize(
    ("before", "now", "comes_to"),
    [
        ((), (), 0),
        ((ONE,), (ONE,), 0),
        ((ONE, FIVE), (ONE, FIVE, TWO), 1),
        ((ONE, FIVE), (ONE,), -5),
        ((ONE, FIVE), (TWO, OTHER), 0),
        ((FIVE, OTHER), (FIVE, ONE, TWO), -3),
        ((ONE,), (ONE, (58.5, 45.0, 18.0)), 1),  # it touches one that stays
        ((), ((11.0, 60.0, 18.0),), None),  # it lies beside the purse: nobody knows whose it is
    ],
)
def test_coins_that_came_and_went_are_told_on_a_chequered_cloth(
    before: tuple[Lying, ...], now: tuple[Lying, ...], comes_to: int | None
) -> None:
    assert change(look(*before, seed=1), look(*now, seed=2)) == comes_to


@pytest.mark.parametrize("widths", [(16.0, 20.0), (22.0, 30.0), (26.0, 21.0)])
def test_coins_of_other_widths_are_told(widths: tuple[float, float]) -> None:
    one, five = widths
    first = (40.0, 45.0, one)
    before, now = look(first, seed=1), look(first, (90.0, 85.0, one), (45.0, 100.0, five), seed=2)
    coins = (Coin(1, one), Coin(5, five))
    assert change_of_purse(before, now, find_changes(before, now), coins) == 6


def test_a_change_is_told_of_coins_that_cannot_be_counted() -> None:
    before, now = look(ONE, FIVE, seed=1, like_table=True), look(ONE, FIVE, TWO, seed=2, like_table=True)
    assert sum_of_coins(before, COINS) is None
    assert change(before, now) == 1


@pytest.mark.parametrize("grain", [4.0, 12.0])
def test_a_wide_coin_of_nearly_the_tables_colour_is_not_told_by_the_ring_that_is_printed_on_it(grain: float) -> None:
    """Gold on brown wood: the ring is about as wide as the narrow coin, the coin's own rim is hardly an edge."""
    random, wood, gold = np.random.default_rng(3), (72, 98, 122), (60, 110, 140)
    veins = cv2.GaussianBlur(random.normal(0, 1, (240, 240)), (0, 0), 1.5, None, 12)
    bare = np.array(wood) + grain * veins[..., None] / veins.std() * np.array([0.8, 0.9, 1.0])
    laid = bare.copy()
    for width, colour in ((25.0 + WIDER_MM, gold), (22.5, (40, 60, 80)), (19.5, gold)):
        disc = cv2.circle(np.zeros((240, 240), np.uint8), (120, 130), round(width / 2 * PX_PER_MM), 1, -1)
        laid[disc.astype(bool)] = colour
    before, now = (
        np.clip(cv2.GaussianBlur(picture, (0, 0), 1.0) + random.normal(0, 2, picture.shape), 0, 255).astype(np.uint8)
        for picture in (bare, laid)
    )
    assert (change(before, now), change(now, before)) == (5, -5)


def test_a_narrow_coin_is_no_wider_one_where_the_light_has_changed_over_the_table_around_it() -> None:
    before, now = look(FIVE, seed=1), look(FIVE, TWO, seed=2)
    changes = find_changes(before, now)
    sunny = np.clip(now * np.array([1.0, 1.08, 1.16]), 0, 255).astype(np.uint8)
    assert change_of_purse(before, sunny, changes, COINS) == 1


def test_edges_are_looked_for_only_around_what_has_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    before, now = look(ONE, FIVE, seed=1), look(FIVE, seed=2)
    looked_at: list[tuple[int, ...]] = []
    monkeypatch.setattr(
        "vision.tables.purses.change.find_edges", lambda lab: looked_at.append(lab.shape) or find_edges(lab)
    )
    assert change(before, now) == -1
    assert {shape[0] < before.shape[0] and shape[1] < before.shape[1] for shape in looked_at} == {True}


def test_something_else_that_came_leaves_the_change_open() -> None:
    before, now = look(ONE, seed=1), look(ONE, TWO, seed=2)
    now[20:60, 100:190] = (60, 90, 160)
    assert change(before, now) is None


def test_a_coin_that_is_half_under_another_one_is_no_change_of_its_own_value() -> None:
    assert change(look(FIVE, seed=1), look(FIVE, (68.0, 80.0, 25.0), seed=2)) in (None, 5)


@pytest.mark.parametrize(("light", "comes_to"), [(0.9, 1), (0.0, None)])
def test_looks_are_compared_as_long_as_both_show_something(light: float, comes_to: int | None) -> None:
    before, now = look(ONE, seed=1), look(ONE, TWO, seed=2)
    assert change(before, np.clip(now * light, 0, 255).astype(np.uint8)) == comes_to
