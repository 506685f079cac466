"""Coins in a purse: discs side by side are told by their widths; of anything else nothing is said."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from drawn_table import POSE, bare_cloth, picture_px

from companion.core.inputs import PurseReading
from companion.core.layout import Coin, SlotOutline
from vision.tables.changes import find_changes
from vision.tables.purses.coins import PX_PER_MM, WIDER_MM, sum_of_coins
from vision.tables.purses.purse import PURSE_P, CountedPurse, read_purse

COINS = (Coin(1, 18.0), Coin(5, 25.0))
PURSE = SlotOutline("A-purse", ((-60.0, -50.0), (60.0, -50.0), (60.0, 50.0), (-60.0, 50.0)), "purse")
GREY, GOLD = (190, 190, 186), (60, 150, 200)


def seen(*discs: tuple[float, float, float], colour: tuple[int, int, int] = GOLD) -> np.ndarray:
    """(240, 240, 3) uint8: discs (x, y, width), mm, of one colour on a cloth, from above."""
    lying = np.full((240, 240, 3), 90.0) + np.random.default_rng(1).normal(0, 2, (240, 240, 3))
    for x, y, width in discs:
        middle, radius = np.array([x, y]) * PX_PER_MM, (width + WIDER_MM) / 2 * PX_PER_MM
        cv2.circle(lying, np.round(16 * middle).astype(int).tolist(), round(16 * radius), colour, -1, cv2.LINE_AA, 4)
    return np.clip(cv2.GaussianBlur(lying, (0, 0), 0.8), 0, 255).astype(np.uint8)


@pytest.mark.parametrize(
    ("discs", "total"),
    [
        ((), 0),
        (((30, 30, 18),), 1),
        (((30, 30, 25), (80, 60, 18), (40, 90, 18)), 7),
        (((40, 40, 25), (62, 43, 18)), 6),  # they touch
        (((40, 40, 18), (59, 40, 18), (59, 59, 18)), 3),
        (((40, 40, 25), (50, 40, 25)), None),  # one lies half on the other
        (((40, 40, 40),), None),  # no coin is so wide
        (((11, 60, 18),), None),  # it lies beside the purse: nobody knows whose it is
    ],
)
def test_coins_are_told_by_their_widths(discs: tuple[tuple[float, float, float], ...], total: int | None) -> None:
    assert sum_of_coins(seen(*discs), COINS) == total


def test_a_thing_that_is_no_disc_leaves_the_sum_open() -> None:
    picture = seen((40, 40, 18))
    picture[120:150, 100:190] = GREY
    assert sum_of_coins(picture, COINS) is None


@pytest.mark.parametrize(
    ("ring", "total"),
    [
        (21.0, 5),  # as wide as the other coin: print, since a larger rim lies around it
        (12.0, 5),
    ],
)
def test_print_within_a_coin_is_no_coin(ring: float, total: int) -> None:
    picture = seen((60, 60, 25))
    middle = (round(60 * PX_PER_MM),) * 2
    cv2.circle(picture, middle, round(ring / 2 * PX_PER_MM), (40, 40, 40), 2, cv2.LINE_AA)
    assert sum_of_coins(picture, COINS) == total


def test_a_ring_that_only_a_coin_of_the_tables_colour_can_bear_leaves_the_sum_open() -> None:
    picture = seen((40, 40, 25))
    cv2.circle(picture, (160, 160), round(7 * PX_PER_MM), (40, 40, 40), 2, cv2.LINE_AA)
    assert sum_of_coins(picture, COINS) is None


def test_coins_that_hardly_differ_from_the_table_leave_the_sum_open() -> None:
    """One of them is told by its rim; nobody knows whether another one shows as much."""
    assert sum_of_coins(seen((60, 60, 18), colour=(100, 100, 100)), COINS) is None
    assert sum_of_coins(seen((60, 60, 18), colour=(125, 125, 125)), COINS) == 1


def laid(*coins: tuple[float, float, float, tuple[int, int, int]]) -> np.ndarray:
    """A picture of coins (x, y, width, colour) on a cloth, mm from the middle of the table."""
    image = bare_cloth()
    turn = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    for x, y, width, colour in coins:
        rim = np.array([x, y]) + width / 2 * np.column_stack([np.cos(turn), np.sin(turn)])
        cv2.fillConvexPoly(image, np.round(picture_px(rim, 1.6)).astype(np.int32), colour, cv2.LINE_AA)
    return image


def total(image: np.ndarray, before: CountedPurse | None = None) -> int | None:
    counted = read_purse(image, POSE, PURSE, COINS, before)
    assert counted is not None
    return counted.total


def test_a_purse_is_counted_again_only_when_something_has_changed_in_it() -> None:
    image = laid((-30, 10, 25, GOLD), (10, -20, 18, GREY))
    told = CountedPurse.anew(read_purse(image, POSE, PURSE, COINS).seen_bgr, 99)  # type: ignore[union-attr]
    brighter = np.clip(image * 1.03, 0, 255).astype(np.uint8)
    assert [total(image, told), total(brighter, told)] == [99, 99]


def test_coins_of_any_look_are_counted_in_a_picture_and_a_purse_at_its_edge_is_not_read() -> None:
    image = laid((-30, 10, 25, GOLD), (10, -20, 18, GREY), (35, 25, 18, GOLD))
    assert total(image) == 7
    assert total(bare_cloth()) == 0
    moved = tuple((x + 130.0, y) for x, y in PURSE.corners_mm)
    assert read_purse(image, POSE, SlotOutline("B-purse", moved, "purse"), COINS) is None


ONE, FIVE = (30.0, 30.0, 18.0), (80.0, 60.0, 25.0)


def test_what_a_purse_held_at_first_follows_from_a_later_sum() -> None:
    begun = CountedPurse.anew(seen(ONE), None)
    later = begun.then(seen(ONE, FIVE), COINS)
    assert (begun.total, later.total, later.tally, later.since) == (None, 6, 5, begun.since)


def test_a_change_is_told_where_the_sum_is_not() -> None:
    strange = seen(ONE)
    strange[150:190, 50:90] = GREY
    with_five = strange.copy()
    with_five[:120] = seen(ONE, (100, 40, 25))[:120]
    later = CountedPurse.anew(strange, None).then(with_five, COINS)
    assert later.reading("A-purse") == PurseReading("A-purse", None, PURSE_P, later.since, 5)


def test_something_else_over_a_purse_hides_it_until_it_has_gone() -> None:
    begun = CountedPurse.anew(seen(ONE), 1)
    covered = seen(ONE, FIVE)
    covered[80:150, 60:110] = GREY
    hidden = begun.then(covered, COINS)
    assert (hidden.reading("A-purse"), hidden.total) == (None, None)
    assert hidden.then(seen(ONE, FIVE), COINS).total == 6
    assert hidden.then(seen(ONE), COINS).total == 1


def test_an_arm_that_hides_a_coin_and_the_table_beside_it_takes_no_money() -> None:
    begun = CountedPurse.anew(seen(ONE, FIVE), 6)
    under_an_arm = seen(ONE)
    under_an_arm[:, 90:] = GREY
    assert begun.then(under_an_arm, COINS).total is None
    assert CountedPurse.anew(under_an_arm, sum_of_coins(under_an_arm, COINS)).total == 1  # the first look cannot know


def test_counting_begins_anew_with_what_comes_after_a_look_that_could_not_be_told() -> None:
    def with_a_stack(*coins: tuple[float, float, float]) -> np.ndarray:
        picture = seen(*coins)
        picture[150:190, 50:90] = GREY
        return picture

    begun = CountedPurse.anew(seen(ONE), 1)
    later = begun.then(with_a_stack(ONE), COINS).then(with_a_stack(ONE, (100, 40, 25)), COINS)
    assert (later.total, later.tally, later.is_told) == (None, 5, True)
    assert later.since != begun.since


def test_a_sum_that_contradicts_the_changes_begins_anew_and_tells_none() -> None:
    begun = CountedPurse.anew(seen(ONE), 3)
    later = begun.then(seen(ONE, FIVE), COINS)
    assert later.total is None
    assert later.since != begun.since


def test_a_hand_over_all_coins_and_most_of_the_table_around_is_no_empty_purse() -> None:
    lying = seen((60, 60, 25), (90, 90, 25))
    rows, columns = np.indices(lying.shape[:2])
    fingers = np.array((96.0, 140.0, 190.0)) * (0.65 + 0.35 * np.sin((columns + rows / 3) / 17.0))[..., None]
    hand = np.where((columns < 215)[..., None], fingers, lying).astype(np.uint8)
    assert not find_changes(lying, hand).gain  # too much is other than it was for what is left to be compared
    assert sum_of_coins(hand, COINS) == 0  # where the table around cannot be told nothing stands out from it
    there = CountedPurse.anew(lying, 10).then(hand, COINS)
    assert not there.is_told
    assert there.then(lying, COINS).total == 10
