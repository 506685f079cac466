"""Tiles with a space of the table's own colour are completed by its sides, and nothing is completed without them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.games.rifts.edition.form import outlines
from vision.locate.plane import HomographyPlane
from vision.spread.hidden_spaces import completed
from vision.spread.shaped_piece import ShapedPiece

PX_PER_MM, SIZE = 2.0, 600
PLANE = HomographyPlane(np.diag([1 / PX_PER_MM, 1 / PX_PER_MM, 1.0]))
TABLE, INK, SHADE = (190, 190, 194), (60, 120, 60), 12
OUTLINES = {len(one.parts_mm): one for one in outlines() if one.name in ("0,0", "0,0 1,0", "0,0 1,0 0,1")}
AT, TURN = np.array([150.0, 150.0]), 11.0
WHOLE = ShapedPiece(OUTLINES[3], AT, TURN, 5)


def spaces(numbers: tuple[int, ...]) -> list[NDArray[np.float64]]:
    """(6, 2) outlines, mm, of these spaces of the tile."""
    hexagon = np.array(OUTLINES[1].corners_mm)
    return [WHOLE.placed(hexagon + np.array(OUTLINES[3].parts_mm[k])) for k in numbers]


def fill(image: NDArray[np.uint8], outline_mm: NDArray[np.float64], colour: tuple[int, int, int]) -> None:
    cv2.fillPoly(image, [np.round(outline_mm * PX_PER_MM).astype(np.int32)], colour)


def pictured(seen: tuple[int, ...], *, shaded: bool, grain: bool = False) -> NDArray[np.uint8]:
    """A table with a tile whose spaces but the seen ones have its colour, and are `shaded` at the rim or quite gone."""
    rng = np.random.default_rng(6)
    image = np.full((SIZE, SIZE, 3), TABLE, np.uint8)
    if grain:  # as parallel as wood's, along two sides of each space
        along = np.deg2rad(TURN + 90)
        across = np.add.outer(np.arange(SIZE) * np.cos(along), -np.arange(SIZE) * np.sin(along))
        wave = cv2.GaussianBlur(rng.normal(0, 60, (1, 4 * SIZE)), (0, 0), 3.0)[0]
        image = np.clip(image + wave[np.round(across + 2 * SIZE).astype(int)][..., None], 0, 255).astype(np.uint8)
    if shaded:
        rim = np.round(WHOLE.outline_mm * PX_PER_MM).astype(np.int32)
        cv2.polylines(image, [rim], True, tuple(value - SHADE for value in TABLE), 2)
    for one in spaces(seen):
        fill(image, one, INK)
    noise = rng.normal(0, 2, image.shape)
    soft = cv2.GaussianBlur(image.astype(np.float64), (0, 0), 0.8)
    return np.asarray(np.clip(soft + noise, 0, 255), np.uint8)


def seen_as(numbers: tuple[int, ...]) -> ShapedPiece:
    """The piece as which these spaces of the tile are outlined."""
    one = OUTLINES[len(numbers)]
    middles = WHOLE.placed(np.array(OUTLINES[3].parts_mm)[list(numbers)])
    for turn in TURN + 60.0 * np.arange(6):
        piece = ShapedPiece(one, middles.mean(axis=0), float(turn), 9)
        if np.abs(piece.placed(np.array(one.parts_mm))[0] - middles[0]).max() < 0.1:
            return piece
    raise AssertionError(numbers)


def found(image: NDArray[np.uint8], *pieces: ShapedPiece) -> list[ShapedPiece]:
    bare = np.ones(image.shape[:2], np.uint8)
    return completed(image, PLANE, pieces, list(OUTLINES.values()), bare, np.zeros(2), PX_PER_MM)


@pytest.mark.parametrize("numbers", [(0,), (1,), (0, 1), (1, 2)])
def test_a_tile_is_completed_by_the_sides_of_its_spaces_that_look_like_the_table(numbers: tuple[int, ...]) -> None:
    (one,) = found(pictured(numbers, shaded=True), seen_as(numbers))
    assert one.outline == WHOLE.outline
    apart = np.linalg.norm(one.outline_mm[:, None] - WHOLE.outline_mm, axis=2)
    assert apart.min(axis=1).max() < 1.0


@pytest.mark.parametrize("grain", [False, True])
@pytest.mark.parametrize("numbers", [(0,), (0, 1), (0, 1, 2)])
def test_a_piece_on_a_bare_table_stays_as_it_is(numbers: tuple[int, ...], grain: bool) -> None:
    piece = WHOLE if len(numbers) == 3 else seen_as(numbers)
    assert found(pictured(numbers, shaded=False, grain=grain), piece) == []


def test_a_space_that_would_lie_on_another_piece_is_none() -> None:
    image = pictured((0, 1), shaded=True)
    third = WHOLE.placed(np.array(OUTLINES[3].parts_mm[2:3]))[0]
    beside = ShapedPiece(OUTLINES[1], third + np.array([6.0, 3.0]), 0.0, 9)
    assert len(found(image, seen_as((0, 1)))) == 1
    assert found(image, seen_as((0, 1)), beside) == []
