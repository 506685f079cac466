"""Pieces that are not round are counted by colour and common size, whether they lie apart or touch."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.count.clumps.find import find_clumps
from vision.count.clumps.split import Blob
from vision.count.table.ground import find_ground, to_lab
from vision.count.teaching.colours import PieceColour
from vision.srgb import to_linear

TABLE, RED, BLUE = (120, 150, 140), (40, 40, 190), (180, 90, 40)
SIDE = 20


def learnt(name: str, colour: tuple[int, int, int]) -> PieceColour:
    b, g, r = to_linear(np.array(colour, np.uint8)).tolist()
    return PieceColour(name, (b, g, r), (9.0, 4.5, 4.5))


COLOURS = [learnt("red", RED), learnt("blue", BLUE)]


def counted(*cubes: tuple[int, int, tuple[int, int, int]]) -> tuple[list[Blob], float]:
    """What is found on a plain table (180, 240, 3) with cubes: left, top, colour."""
    picture = np.full((180, 240, 3), TABLE, np.uint8)
    for x, y, colour in cubes:
        cv2.rectangle(picture, (x, y), (x + SIDE - 1, y + SIDE - 1), colour, -1)
    noise = np.random.default_rng(2).normal(0, 1.5, picture.shape)
    picture = np.clip(picture + noise, 0, 255).astype(np.uint8)
    return find_clumps(picture, to_lab(picture), find_ground(picture), COLOURS)


def middles(blobs: list[Blob]) -> np.ndarray:
    return np.array(sorted(blob.xy for blob in blobs))


@pytest.mark.parametrize(
    "cubes",
    [
        [(40, 40, RED), (100, 90, BLUE), (170, 50, RED), (60, 130, BLUE)],
        [(40, 40, RED), (100, 90, RED), (120, 90, BLUE), (170, 130, BLUE)],
        [(40, 40, RED), (100, 90, RED), (120, 90, RED), (170, 130, BLUE)],
    ],
    ids=["apart", "two colours touch", "two of one colour touch"],
)
def test_every_cube_is_one_piece(cubes: list[tuple[int, int, tuple[int, int, int]]]) -> None:
    blobs, area = counted(*cubes)
    assert area == pytest.approx(SIDE**2, rel=0.25)
    expected = np.array(sorted((x + (SIDE - 1) / 2, y + (SIDE - 1) / 2) for x, y, _ in cubes))
    np.testing.assert_allclose(middles(blobs), expected, atol=2.0)


def test_a_cube_over_the_corner_of_one_of_another_colour_is_a_piece_of_its_own() -> None:
    blobs, _ = counted((40, 40, RED), (100, 90, RED), (108, 98, BLUE), (170, 40, BLUE))
    # 12 x 12 px of the red cube are covered: its middle (109.5, 99.5) less theirs (113.5, 103.5) is (107.25, 97.25).
    expected = [(49.5, 49.5), (107.25, 97.25), (117.5, 107.5), (179.5, 49.5)]
    assert len(blobs) == 4
    np.testing.assert_allclose(middles(blobs), expected, atol=2.0)


def test_on_an_empty_table_there_is_no_piece_and_no_size() -> None:
    assert counted() == ([], 0.0)
