"""A piece ends on all sides; light and patterns that look like one go on."""

from __future__ import annotations

import numpy as np
import pytest

from vision.appearance.canvas import Canvas, Window
from vision.appearance.picture_light import PictureLight
from vision.pieces.piece_edges import goes_on

WINDOW = Window.around(np.array([[-30.0, -30.0], [30.0, 30.0]]), 0.0)
LIGHT = PictureLight((1.0, 1.0, 1.0), (0.0, 0.0, 0.0), (0.0, 0.0), 2.0)
PALE, DIM = 210.0, 110.0
SIDE_MM, UPRIGHT = 14.0, np.zeros(2)
X, Y = np.meshgrid(*WINDOW.axes_mm())


def canvas(pale: np.ndarray, printed: np.ndarray | None = None) -> Canvas:
    """A face with pale print where it is `printed`, on which the pixels `pale` (H, W) are seen to be so."""
    seen, bare = (np.repeat(np.where(m, PALE, DIM)[..., None], 3, -1).astype(np.float32)
                  for m in (pale, np.zeros_like(pale) if printed is None else printed))  # fmt: skip
    label = np.zeros(pale.shape, np.int16)
    return Canvas(WINDOW, seen, bare, np.zeros_like(seen), label, LIGHT, (1.0,))


DISC = np.hypot(X, Y) <= SIDE_MM / 2
NOTHING = np.zeros(X.shape, np.float32)


@pytest.mark.parametrize(
    ("pale", "goes"),
    [
        (DISC, False), (X + 2 * Y > -12.0, True), ((abs(X) < 6.0) & (Y > -6.0), True),
        (DISC | (np.hypot(X, Y) > 16.0), False),
    ],
    ids=["a piece", "a pane of sun", "a stripe", "a piece in the middle of a ring"],
)  # fmt: skip
def test_a_piece_ends_on_all_sides_and_light_and_stripes_do_not(pale: np.ndarray, goes: bool) -> None:
    assert goes_on(canvas(pale), NOTHING, (0.0, 0.0), UPRIGHT, SIDE_MM) is goes


def test_print_and_other_pieces_of_the_same_look_beside_a_piece_end_it() -> None:
    beside = (X > 0.0) & (abs(Y) < 10.0)
    assert not goes_on(canvas(DISC | beside, beside), NOTHING, (0.0, 0.0), UPRIGHT, SIDE_MM)
    assert not goes_on(canvas(DISC | beside), beside.astype(np.float32), (0.0, 0.0), UPRIGHT, SIDE_MM)


def test_a_piece_that_leans_ends_beyond_its_top() -> None:
    leaning = np.hypot(X, Y) <= SIDE_MM / 2
    for part in (0.5, 1.0):
        leaning |= np.hypot(X, Y - part * 6.0) <= SIDE_MM / 2
    assert not goes_on(canvas(leaning), NOTHING, (0.0, 0.0), np.array([0.0, 6.0]), SIDE_MM)
