"""A piece that the picture's edge cuts off is not counted in silence."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.count.counting import count_pieces
from vision.count.cut_off import beyond_edge, cut_off
from vision.count.teaching.references import learn_colour

RED, BLUE = (40, 40, 190), (170, 80, 40)
PLACES = ((90, 90), (220, 100), (330, 130), (100, 220), (210, 230))


def table(cut: tuple[int, int] | None) -> np.ndarray:
    """Red and blue discs on a plain table, and one more red one."""
    picture = np.clip(np.random.default_rng(2).normal(190, 2.0, (330, 440, 3)), 0, 255).astype(np.uint8)
    for k, xy in enumerate(PLACES):
        cv2.circle(picture, xy, 30, RED if k % 2 else BLUE, -1, cv2.LINE_AA)
    if cut is not None:
        cv2.circle(picture, cut, 30, RED, -1, cv2.LINE_AA)
    return picture


def disc(x: int, y: int, radius: int) -> np.ndarray:
    """(100, 120) uint8 where a disc lies."""
    return np.asarray(cv2.circle(np.zeros((100, 120), np.uint8), (x, y), radius, 1, -1))


@pytest.mark.parametrize(
    ("left", "expected"),
    [
        (disc(60, 99, 15), 1),
        (disc(60, 103, 15), 1),
        (disc(60, 110, 15), 0),
        (disc(60, 50, 15), 0),
        (disc(60, 100, 40), 0),
        (disc(0, 0, 15) | disc(119, 60, 15), 2),
    ],
    ids=["half", "more than a third", "a sliver", "whole", "a larger thing", "in a corner and at a side"],
)
def test_what_is_as_broad_as_a_piece_and_ends_at_the_edge_is_cut_off(left: np.ndarray, expected: int) -> None:
    ends = cut_off(left, 15.0)
    assert len(ends) == expected
    assert all(left[rows, cols].mean() > 0.5 for rows, cols in ends)


def test_a_count_says_how_many_pieces_the_edge_cuts_off() -> None:
    whole = table(None)
    colours = [
        learn_colour(name, [(whole, ((x - 32, y - 32, 64, 64),))])
        for name, (x, y) in zip(("blue", "red"), PLACES, strict=False)
    ]
    assert "cut off" not in count_pieces(whole, colours).why
    result = count_pieces(table((330, 337)), colours)
    assert result.counts == {"blue": 3, "red": 2}
    assert "cut off by the picture's edge and not counted: 1" in result.why
    assert not result.sure


def test_a_counted_piece_that_the_edge_cuts_off_is_told() -> None:
    turn = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    circle = 30 * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    discs = [circle + middle for middle in ((30, 100), (28.5, 100), (24, 100), (200, 81), (410, 299))]
    assert [beyond_edge([disc], (440, 300)) for disc in discs] == [0, 0, 1, 0, 1]


def test_a_count_with_a_piece_that_the_edge_cuts_a_little_is_never_sure() -> None:
    whole = table(None)
    colours = [
        learn_colour(name, [(whole, ((x - 32, y - 32, 64, 64),))])
        for name, (x, y) in zip(("blue", "red"), PLACES, strict=False)
    ]
    result = count_pieces(table((418, 250)), colours)
    assert "cut off by the picture's edge and counted: 1" in result.why
    assert not result.sure
