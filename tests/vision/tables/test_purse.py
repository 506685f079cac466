"""Coins in a purse: discs side by side are told by their widths; of anything else nothing is said."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from drawn_table import POSE, bare_cloth, picture_px

from companion.core.layout import Coin, SlotOutline
from vision.tables.purse import PX_PER_MM, read_purse, sum_of_coins

COINS = (Coin(1, 18.0), Coin(5, 25.0))
PURSE = SlotOutline("A-purse", ((-60.0, -50.0), (60.0, -50.0), (60.0, 50.0), (-60.0, 50.0)), "purse")
GREY, GOLD = (190, 190, 186), (60, 150, 200)


def outlines(*discs: tuple[float, float, float]) -> np.ndarray:
    """(H, W) bool: discs (x, y, width), mm."""
    lying = np.zeros((240, 240), np.uint8)
    for x, y, width in discs:
        cv2.circle(lying, (round(x * PX_PER_MM), round(y * PX_PER_MM)), round(width / 2 * PX_PER_MM), 1, -1)
    return lying.astype(bool)


@pytest.mark.parametrize(
    ("discs", "total"),
    [
        ((), 0),
        (((30, 30, 18),), 1),
        (((30, 30, 25), (80, 60, 18), (40, 90, 18)), 7),
        (((40, 40, 25), (61, 43, 18)), 6),  # they touch
        (((40, 40, 18), (58, 40, 18), (58, 59, 18)), 3),
        (((40, 40, 25), (50, 40, 25)), None),  # one lies half on the other
        (((40, 40, 40),), None),  # no coin is so wide
        (((4, 60, 25),), None),  # it comes in from outside, as an arm does
    ],
)
def test_coins_are_told_by_their_widths(discs: tuple[tuple[float, float, float], ...], total: int | None) -> None:
    assert sum_of_coins(outlines(*discs), COINS) == total


def test_a_thing_that_is_no_disc_leaves_the_sum_open() -> None:
    lying = outlines((40, 40, 18))
    lying[120:150, 100:190] = True
    assert sum_of_coins(lying, COINS) is None


def laid(*coins: tuple[float, float, float, tuple[int, int, int]]) -> np.ndarray:
    """A picture of coins (x, y, width, colour) on a cloth, mm from the middle of the table."""
    image = bare_cloth()
    turn = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    for x, y, width, colour in coins:
        rim = np.array([x, y]) + width / 2 * np.column_stack([np.cos(turn), np.sin(turn)])
        cv2.fillConvexPoly(image, np.round(picture_px(rim, 1.6)).astype(np.int32), colour, cv2.LINE_AA)
    return image


def test_coins_of_any_look_are_counted_in_a_picture_and_a_purse_at_its_edge_is_not_read() -> None:
    image = laid((-30, 10, 25, GOLD), (10, -20, 18, GREY), (35, 25, 18, GOLD))
    assert read_purse(image, POSE, PURSE, COINS) == 7
    assert read_purse(bare_cloth(), POSE, PURSE, COINS) == 0
    moved = tuple((x + 130.0, y) for x, y in PURSE.corners_mm)
    assert read_purse(image, POSE, SlotOutline("B-purse", moved, "purse"), COINS) is None
