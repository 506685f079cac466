"""A hand hides a board's print; its shadow, another lamp, a slide of the board and small pieces do not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.view.covered_print import PrintCover

SIDE = 500


def board():
    """An empty board: lines on wood with some grain."""
    grain = np.random.default_rng(2).normal(0, 3, (SIDE, SIDE, 1))
    picture = np.clip(np.array([120, 175, 205]) + grain, 0, 255).astype(np.uint8)
    for at in range(20, SIDE, 26):
        cv2.line(picture, (at, 0), (at, SIDE), (30, 40, 45), 1, cv2.LINE_AA)
        cv2.line(picture, (0, at), (SIDE, at), (30, 40, 45), 1, cv2.LINE_AA)
    return picture


def hand(picture, tip, colour=(130, 160, 205)):
    """A forearm that comes from the left edge and ends in a fist at `tip`."""
    out = picture.copy()
    cv2.line(out, (-40, tip[1] + 60), tip, colour, 60, cv2.LINE_AA)
    cv2.circle(out, tip, 38, tuple(int(0.9 * c) for c in colour), -1, cv2.LINE_AA)
    return out


def shadow(picture, xy=(180, 260), depth=0.55):
    """A head's shadow with a soft rim, bluer than the lamp's light."""
    shade = np.zeros(picture.shape[:2], np.float32)
    cv2.circle(shade, xy, 130, 1.0, -1)
    cv2.rectangle(shade, (0, xy[1] - 40), xy, 1.0, -1)
    shade = cv2.GaussianBlur(shade, (0, 0), 6)[..., None] * depth
    return np.clip(picture * (1 - shade * np.array([0.8, 0.95, 1.0])), 0, 255).astype(np.uint8)


def moved(picture):
    """The board pushed and turned a little."""
    turn = cv2.getRotationMatrix2D((250, 250), 2.5, 1.0)
    turn[:, 2] += (6, -5)
    return cv2.warpAffine(picture, turn, (SIDE, SIDE), borderMode=cv2.BORDER_REFLECT)


def pieces(picture):
    """Stones on the lines, one of them at the very edge."""
    out = picture.copy()
    for xy, colour in (((150, 150), (40, 35, 35)), ((332, 254), (235, 240, 240)), ((10, 98), (40, 35, 35))):
        cv2.circle(out, xy, 12, colour, -1, cv2.LINE_AA)
    return out


def brighter(picture):
    return np.clip(picture * 1.2, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("change", [lambda p: p, shadow, moved, pieces, brighter, lambda p: shadow(moved(pieces(p)))])
def test_what_leaves_the_print_seen_is_no_hand(change):
    assert not PrintCover(board()).over(change(board())).hand


@pytest.mark.parametrize("tip", [(40, 100), (150, 240), (420, 400)])
@pytest.mark.parametrize("change", [lambda p: p, shadow, moved, brighter])
def test_a_hand_that_reaches_in_is_seen(tip, change):
    cover = PrintCover(board()).over(hand(change(board()), tip))
    assert cover.hand
    assert cover.share >= 0.01


def test_a_hand_of_the_boards_own_colour_is_seen():
    assert PrintCover(board()).over(hand(board(), (200, 250), (120, 175, 205))).hand


def test_the_place_of_the_hand_is_told():
    blocks = PrintCover(board()).over(hand(board(), (150, 240))).blocks
    rows, cols = np.nonzero(blocks)
    assert cols.max() * 12 < 210
    assert abs(rows.mean() * 12 + 18 - 270) < 50


def test_a_view_of_other_proportions_is_refused():
    with pytest.raises(ValueError, match="expected a view like"):
        PrintCover(board()).over(board()[:300])
