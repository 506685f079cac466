"""Half of a piece that is printed alike both ways up tells all of it; of others it does not."""

from __future__ import annotations

import cv2
import numpy as np

from vision.faces.placing.halves import completed, evenly_printed

WH = (80, 112)


def pips(places: list[tuple[int, int]]) -> np.ndarray:
    """A pale card with round pips."""
    card = np.full((WH[1], WH[0], 3), 235, np.uint8)
    for place in places:
        cv2.circle(card, place, 8, (30, 30, 180), -1, cv2.LINE_AA)
    return card


SIX = [(24, 24), (55, 24), (24, 55), (55, 56), (24, 87), (55, 87)]


def test_the_half_that_is_not_seen_is_the_other_half_turned() -> None:
    card = pips(SIX)
    inside = np.zeros(card.shape[:2], bool)
    inside[:, 38:] = True
    seen = np.where(inside[..., None], card, 0).astype(np.uint8)
    full = completed(seen, inside)
    assert full is not None
    np.testing.assert_array_equal(full[:, 44:], card[:, 44:])
    assert np.abs(full.astype(int) - card).mean() < 2


def test_what_covers_the_piece_near_its_middle_is_not_taken_over() -> None:
    card = pips(SIX)
    inside = np.zeros(card.shape[:2], bool)
    inside[:, 34:] = True
    seen = np.where(inside[..., None], card, 0).astype(np.uint8)
    seen[:, 34:37] = (20, 90, 20)  # the edge of what lies on it
    full = completed(seen, inside)
    assert full is not None
    assert np.abs(full.astype(int) - card).max(axis=(0, 2)).max() < 60


def test_halves_in_a_reflection_meet_in_one_light() -> None:
    card = pips([*SIX, (40, 24), (39, 87)])
    inside = np.zeros(card.shape[:2], bool)
    inside[:, 34:] = True
    glossy = np.linspace(1, 0.6, WH[1])[:, None, None]  # less contrast and more light towards the bottom
    seen = np.where(inside[..., None], 255 - glossy * (255.0 - card), 0).astype(np.uint8)
    full = completed(seen, inside)
    assert full is not None
    dark = full.min(axis=2).astype(int)
    left, right = (dark[y - 3 : y + 4, x - 3 : x + 4].mean() for x, y in ((24, 87), (55, 87)))
    other_left, other_right = (dark[y - 3 : y + 4, x - 3 : x + 4].mean() for x, y in ((24, 24), (55, 24)))
    assert abs(left - right) < 25
    assert abs(other_left - other_right) < 25


def test_less_than_half_tells_nothing() -> None:
    inside = np.zeros((WH[1], WH[0]), bool)
    inside[:, 50:] = True
    assert completed(pips(SIX), inside) is None


def test_a_pip_that_is_printed_one_way_up_only_is_noticed() -> None:
    assert evenly_printed(pips(SIX))
    assert evenly_printed(pips([*SIX, (40, 41), (40, 70)]))
    assert not evenly_printed(pips([*SIX, (40, 41)]))
