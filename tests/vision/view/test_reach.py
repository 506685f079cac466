"""Changes drawn by hand: what hangs together with the edge of the picture has come in, all else was laid there."""

from __future__ import annotations

import numpy as np
import pytest

from vision.view.reach import come_in

SHAPE = (120, 160)
EVERYWHERE = np.ones(SHAPE, bool)
INNER = EVERYWHERE.copy()
INNER[:20] = False  # the upper part of the array lies outside of the picture


def changes(*boxes: tuple[int, int, int, int]) -> np.ndarray:
    """(H, W) uint8: 1 in the boxes (top, bottom, left, right)."""
    out = np.zeros(SHAPE, np.uint8)
    for top, bottom, left, right in boxes:
        out[top:bottom, left:right] = 1
    return out


@pytest.mark.parametrize(
    ("boxes", "in_picture", "arrived"),
    [
        ([(0, 60, 40, 60)], EVERYWHERE, (59, 50)),  # an arm from above
        ([(20, 60, 40, 60)], INNER, (59, 50)),  # it comes from where the picture ends
        ([(0, 30, 40, 60), (35, 70, 40, 60)], EVERYWHERE, (65, 50)),  # some of it looks like the table
        ([(50, 70, 40, 60)], EVERYWHERE, None),  # a tile was laid
        ([(20, 60, 40, 60)], EVERYWHERE, None),  # it ends before the picture does
        ([(0, 60, 50, 54)], EVERYWHERE, None),  # a cable
    ],
)
def test_what_comes_in_from_the_edge_is_told_from_what_was_laid(
    boxes: list[tuple[int, int, int, int]], in_picture: np.ndarray, arrived: tuple[int, int] | None
) -> None:
    found = come_in(changes(*boxes), in_picture, 1.0)
    assert found.any() == (arrived is not None)
    assert arrived is None or found[arrived]


def test_what_was_laid_beside_an_arm_is_none_of_it() -> None:
    found = come_in(changes((0, 60, 40, 60), (80, 100, 100, 120)), EVERYWHERE, 1.0)
    assert found[30, 50]
    assert not found[90, 110]


def test_only_what_reaches_the_places_asked_for_is_followed() -> None:
    both = changes((0, 60, 20, 40), (0, 60, 120, 140))
    over = changes((50, 70, 10, 50)) > 0
    every, found = come_in(both, EVERYWHERE, 1.0), come_in(both, EVERYWHERE, 1.0, over)
    assert (found[:, :80] == every[:, :80]).all()
    assert every[30, 130]
    assert not found[30, 130]
