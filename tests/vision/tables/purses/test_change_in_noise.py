"""Coins that came or went are told in noise, soft focus and light that has changed, where rims are no sharp edges."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from companion.core.layout import Coin
from vision.srgb import LINEAR, from_linear
from vision.tables.changes import find_changes
from vision.tables.purses.chances import only_one
from vision.tables.purses.change import change_of_purse
from vision.tables.purses.change_in_noise import changes_in_noise
from vision.tables.purses.coins import PX_PER_MM, WIDER_MM
from vision.tables.purses.compared_looks import compare_looks, joined_looks
from vision.tables.purses.half_size import SCALE, calm, half
from vision.tables.purses.purse import CountedPurse

COINS = (Coin(1, 18.0), Coin(5, 25.0))
SILVER, GOLD, INK = (186, 190, 192), (64, 158, 206), (60, 66, 74)
SIDE = 216
Lying = tuple[float, float, float]
"""x, y and width of a coin, mm."""
ONE, TWO, FIVE, OTHER = (40.0, 45.0, 18.0), (90.0, 100.0, 18.0), (60.0, 80.0, 25.0), (100.0, 40.0, 25.0)


def cloth() -> np.ndarray:
    """(SIDE, SIDE, 3): checks of three blues, the darkest nearly without red."""
    x, y = np.meshgrid(np.arange(SIDE) // 56 % 2, np.arange(SIDE) // 56 % 2)
    return np.array([[95, 30, 4], [150, 110, 100], [200, 196, 190]], float)[x + y]


def wood() -> np.ndarray:
    """(SIDE, SIDE, 3): brown with veins."""
    veins = cv2.GaussianBlur(np.random.default_rng(9).normal(0, 1, (SIDE, SIDE)), (0, 0), 1.5, None, 12)
    return np.asarray(np.array([40, 70, 100]) + 9.0 * veins[..., None] / veins.std())


def look(
    table: np.ndarray, *coins: Lying, seed: int, light: np.ndarray | float = 1.0, noise: float = 16.0
) -> np.ndarray:
    """(SIDE, SIDE, 3) uint8: coins on a table in a dim picture of a camera with much noise, some px of which go
    together, from above."""
    picture = table.astype(np.uint8)
    for x, y, width in coins:
        middle = np.round(16 * np.array([x, y]) * PX_PER_MM).astype(int).tolist()
        face = SILVER if width < 20 else GOLD
        for share, colour in ((1.0, face), (0.87, INK), (0.81, face), (0.25, INK)):
            radius = round(16 * share * (width + WIDER_MM) / 2 * PX_PER_MM)
            cv2.circle(picture, middle, radius, colour, -1, cv2.LINE_AA, 4)
    random = np.random.default_rng(seed)
    grain = cv2.GaussianBlur(random.normal(0, noise, picture.shape), (0, 0), 1.2)
    blotches = cv2.resize(random.normal(0, 3.0, (SIDE // 9, SIDE // 9, 3)), (SIDE, SIDE), interpolation=cv2.INTER_CUBIC)
    lit = cv2.GaussianBlur(LINEAR[picture], (0, 0), 1.8) * 0.35 * light
    return np.clip(255.0 * from_linear(lit) + grain + blotches, 0, 255).astype(np.uint8)


def shade() -> np.ndarray:
    """(SIDE, SIDE, 1): a soft shadow over a part, in which a third of the light is left."""
    return np.asarray(1.0 - 0.4 / (1.0 + np.exp((np.arange(SIDE) - 90.0) / 14.0)))[:, None, None]


@pytest.mark.parametrize("table", [cloth, wood])
@pytest.mark.parametrize(
    ("before", "now", "comes_to"),
    [
        ((ONE, FIVE), (ONE, FIVE), 0),
        ((ONE, FIVE), (ONE, FIVE, TWO), 1),
        ((ONE, FIVE), (ONE,), -5),
        ((FIVE,), (TWO,), -4),
    ],
)
def test_coins_are_told_in_noise_and_a_soft_shadow(
    table: Callable[[], np.ndarray], before: tuple[Lying, ...], now: tuple[Lying, ...], comes_to: int
) -> None:
    first = look(table(), *before, seed=1)
    for light in (1.0, 0.93 * shade()):
        later = look(table(), *now, seed=2, light=light)
        assert change_of_purse(first, later, find_changes(first, later), COINS) is None
        assert only_one(changes_in_noise(calm(first), calm(later), COINS)) == comes_to


def test_an_arm_over_a_purse_leaves_the_change_open() -> None:
    first, later = look(wood(), ONE, FIVE, seed=1), look(wood(), ONE, FIVE, seed=2)
    later[:, 120:] = (96, 120, 170)
    assert only_one(changes_in_noise(calm(first), calm(later), COINS)) is None


@pytest.mark.parametrize("far", [4.0, 12.0])
def test_a_coin_that_was_pushed_is_none_that_came_or_went(far: float) -> None:
    pushed = (FIVE[0] + far, *FIVE[1:])
    changes = changes_in_noise(calm(look(wood(), FIVE, seed=1)), calm(look(wood(), pushed, seed=2)), COINS)
    assert only_one(changes) in (None, 0)


def test_the_light_is_told_apart_from_what_lies_there() -> None:
    later = look(cloth(), FIVE, seed=2, light=0.93 * shade())
    compared = compare_looks(calm(look(cloth(), FIVE, seed=1)), calm(later))
    assert np.abs(cv2.blur(compared.before - half(later), (15, 15))).max() < 8.0
    compared = compare_looks(calm(look(cloth(), seed=1)), calm(later))
    x, y = round(FIVE[0] * 0.8), round(FIVE[1] * 0.8)
    assert np.linalg.norm(compared.off[y - 3 : y + 4, x - 3 : x + 4].mean(axis=(0, 1))) > 3.0


def test_a_purse_is_followed_in_noise_from_what_it_held_at_first() -> None:
    purse = CountedPurse.anew(look(cloth(), ONE, FIVE, seed=1), None)
    for seed, coins in enumerate(((ONE, FIVE), (ONE, FIVE, TWO), (ONE, TWO), (ONE, TWO)), start=2):
        purse = purse.then(look(cloth(), *coins, seed=seed, light=0.93 * shade() if seed % 2 else 1.0), COINS)
    assert (purse.tally, purse.is_told) == (-4, True)


def faint(*, seed: int, coin: float = 0.0) -> np.ndarray:
    """(108, 108, 3) float32: bare table under much noise, or a coin so many grey levels brighter on it."""
    rows, columns = np.indices((108, 108))
    disc = np.hypot(columns - 50, rows - 60) <= (18.0 + WIDER_MM) / 2 * SCALE
    noise = cv2.GaussianBlur(np.random.default_rng(seed).normal(0.0, 20.0, (108, 108, 3)), (0, 0), 1.0)
    return np.asarray(120.0 + coin * disc[..., None] + noise, np.float32)


def test_a_coin_that_hardly_stands_out_leaves_changes_open_and_the_mean_of_more_looks_tells_it() -> None:
    before, later = faint(seed=1), faint(seed=22, coin=9.0)
    chances = changes_in_noise(before, later, COINS)
    assert only_one(chances) is None
    assert max(chances, key=lambda change: chances[change]) == 1
    assert sum(chances.values()) == pytest.approx(1.0, abs=0.02)
    for looks in range(2, 9):
        before = joined_looks(before, faint(seed=looks), looks)
    assert only_one(changes_in_noise(before, later, COINS)) == 1
