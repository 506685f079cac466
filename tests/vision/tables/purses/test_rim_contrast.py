"""Coins whose rims are no sharp edges are counted by their colour and the table's, on plain tables alone."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.core.layout import Coin
from vision.tables.purses.coins import PX_PER_MM, WIDER_MM, sum_of_coins
from vision.tables.purses.rim_contrast import shows_a_rim, sum_by_contrast

COINS = (Coin(1, 18.0), Coin(5, 25.0))
GREY, GOLD, INK, CLOTH = (190, 190, 186), (60, 150, 200), (60, 66, 74), (90, 90, 90)
Disc = tuple[float, float, float]


def seen(*discs: Disc, noise: float = 6.0, blur: float = 1.0, table: np.ndarray | None = None) -> np.ndarray:
    """(240, 240, 3) uint8: coins (x, y, width), mm, with a ring printed on each, in a picture with noise (grey levels)
    that a camera has softened."""
    lying = np.full((240, 240, 3), CLOTH, np.float32) if table is None else table.astype(np.float32)
    for x, y, width in discs:
        middle, radius = np.round(16 * PX_PER_MM * np.array([x, y])).astype(int), (width + WIDER_MM) / 2 * PX_PER_MM
        colour = GREY if width < 20 else GOLD
        cv2.circle(lying, middle.tolist(), round(16 * radius), colour, -1, cv2.LINE_AA, 4)
        cv2.circle(lying, middle.tolist(), round(16 * 0.84 * radius), INK, 1, cv2.LINE_AA, 4)
    lying = cv2.GaussianBlur(lying, (0, 0), blur)
    grain = cv2.GaussianBlur(np.random.default_rng(3).normal(0, 3 * noise, lying.shape), (0, 0), 0.8)
    return np.clip(lying + grain, 0, 255).astype(np.uint8)


@pytest.mark.parametrize(
    ("discs", "total"),
    [
        (((30, 30, 18),), 1),
        (((30, 30, 25), (80, 60, 18), (40, 90, 18)), 7),
        (((40, 40, 25), (40, 80, 25)), 10),
        (((40, 40, 40),), None),  # no coin is so wide
        (((40, 40, 20.9),), None),  # it may be either
        (((11, 60, 18),), None),  # it lies beside the purse: nobody knows whose it is
    ],
)
def test_coins_in_noise_are_told_by_their_widths(discs: tuple[Disc, ...], total: int | None) -> None:
    assert sum_by_contrast(seen(*discs), COINS) == total


def test_noise_in_which_no_rim_is_sharp_hides_no_coin() -> None:
    lit = 0.35 * seen((40, 40, 25), (80, 90, 25), (90, 40, 18), noise=0.0, blur=2.2)
    picture = np.clip(lit + np.random.default_rng(5).normal(0, 8, lit.shape), 0, 255).astype(np.uint8)
    assert sum_of_coins(picture, COINS) is None
    assert sum_by_contrast(picture, COINS) == 11


def test_what_is_no_coin_leaves_the_sum_open() -> None:
    picture = seen((40, 40, 25))
    picture[150:190, 60:240] = (90, 130, 190)  # an arm
    assert sum_by_contrast(picture, COINS) is None


def test_on_a_patterned_cloth_nothing_is_told() -> None:
    checks = np.full((240, 240, 3), CLOTH, np.uint8)
    checks[:, 100:] = (200, 200, 200)
    assert sum_by_contrast(seen((40, 40, 25), noise=2.0, table=checks), COINS) is None


def test_a_coin_of_the_tables_colour_is_seen_by_its_print_and_leaves_the_sum_open() -> None:
    picture = seen((40, 40, 25), noise=2.0)
    cv2.circle(picture, (160, 160), round(8 * PX_PER_MM), (50, 50, 50), 2, cv2.LINE_AA)
    assert sum_by_contrast(picture, COINS) is None


def test_a_coin_that_reaches_into_the_table_around_is_no_table() -> None:
    """The purse ends 14 mm from the edge of what is seen: a gold coin there was taken for what the table looks like."""
    picture = seen((31, 60, 25), noise=1.0, table=np.full((240, 240, 3), (44, 40, 44), np.uint8))
    assert sum_of_coins(picture[:, 22:], COINS) != 0
    assert shows_a_rim(picture, COINS)
    assert not shows_a_rim(seen(noise=2.0), COINS)
