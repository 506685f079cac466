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
    np.testing.assert_array_equal(full[:, 38:], card[:, 38:])
    assert np.abs(full.astype(int) - card).mean() < 2


def test_less_than_half_tells_nothing() -> None:
    inside = np.zeros((WH[1], WH[0]), bool)
    inside[:, 50:] = True
    assert completed(pips(SIX), inside) is None


def test_a_pip_that_is_printed_one_way_up_only_is_noticed() -> None:
    assert evenly_printed(pips(SIX))
    assert evenly_printed(pips([*SIX, (40, 41), (40, 70)]))
    assert not evenly_printed(pips([*SIX, (40, 41)]))
