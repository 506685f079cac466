"""Pieces of several hexagonal spaces: their faces, where each space lies, and how its picture is cut as a face."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from companion.core.types import Face
from vision.locate.rectify import square_mm

# Side of the square that is read within a hexagon, in sides of the hexagon: the largest has 1.27.
SQUARE_SIDES = 1.24


@dataclass(frozen=True, slots=True)
class SpacePiece:
    """A piece of several spaces: the face of each, and (N, 2) mm of their middles from the first, the piece upright."""

    name: Face
    faces: tuple[Face, ...]
    middles_mm: tuple[tuple[float, float], ...]


def space_corners(middle: np.ndarray, side_mm: float, turn: int = 0) -> np.ndarray:
    """(4, 2) mm: the square that is read of a hexagon with such sides, turned clockwise by so many sixths."""
    return square_mm((float(middle[0]), float(middle[1])), side_mm * SQUARE_SIDES, 60.0 * turn)


def space_square(picture: np.ndarray, side_px: float) -> np.ndarray:
    """The square in the middle of a picture (H, W, 3) of a hexagonal space with sides of `side_px`, as a face."""
    height, width = picture.shape[:2]
    half = side_px * SQUARE_SIDES / 2
    rows = slice(round(height / 2 - half), round(height / 2 + half))
    return np.ascontiguousarray(picture[rows, round(width / 2 - half) : round(width / 2 + half)])


def space_pictures(picture: np.ndarray, piece: SpacePiece, side_mm: float) -> dict[Face, np.ndarray]:
    """The face of each space, as `space_square` cuts it, from a picture (H, W, 3) of the rectangle around an upright
    piece of hexagons with sides of `side_mm`, a point up."""
    middles = np.array(piece.middles_mm)
    half = side_mm * np.array([np.sqrt(3) / 2, 1.0])
    low, high = middles.min(0) - half, middles.max(0) + half
    px_per_mm = picture.shape[1::-1] / (high - low)
    size = np.array([SQUARE_SIDES, SQUARE_SIDES]) * side_mm
    out = {}
    for face, middle in zip(piece.faces, middles, strict=True):
        first = np.round((middle - size / 2 - low) * px_per_mm).astype(int)
        last = first + np.round(size * px_per_mm).astype(int)
        out[face] = np.ascontiguousarray(picture[first[1] : last[1], first[0] : last[0]])
    return out
