"""Without markers the plane of a tally is told by its tiles: by those named first, then by all named in their plane."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from vision.locate.plane import HomographyPlane, Plane, fit_square, planes_of_squares, square_at
from vision.locate.quads import Quad
from vision.spread.tally import TallyReader
from vision.tables.place import TILE, PlaceReading, PlaceState

SIDE_MM = 55.0
TABLE = HomographyPlane(np.linalg.inv(np.array([[1.3, 0.1, 250.0], [0.0, 1.0, 120.0], [0.0002, 0.0007, 1.0]])))
SQUARES_MM = [square_at(np.array([75.0 * k, 70.0 * row]), SIDE_MM, 3.0 * k) for row in range(2) for k in range(6)]

# A tile is named where it is a square of its size to so much; its corners are seen to so many px, as in the dark.
AS_LARGE, SEEN_TO_PX = 0.05, 1.0


@dataclass
class _BySize(TallyReader):
    """Names each tile that has its size in a plane."""

    seen_px: list[np.ndarray] = field(default_factory=list)
    side_mm: float = SIDE_MM

    def _tiles(self, image: np.ndarray, plane: Plane, quads: list[Quad]) -> list[PlaceReading]:  # noqa: ARG002
        found = []
        for number, corners_px in enumerate(self.seen_px):
            corners = plane.to_mm(corners_px)
            _, _, side, misfit = fit_square(corners)
            if abs(side / SIDE_MM - 1.0) < AS_LARGE and misfit < AS_LARGE:
                name = f"tile {number}"
                chances = ((name, 0.99),)
                found.append(PlaceReading("", TILE, PlaceState.FACE, name, 0.99, 0, chances, corners_mm=corners))
        return found


def test_when_the_plane_is_told_once_more_no_more_tiles_are_named() -> None:
    picture = np.zeros((720, 1280, 3), np.uint8)
    first_ones, named = 0, 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        reader = _BySize([TABLE.to_px(square) + rng.normal(0, SEEN_TO_PX, (4, 2)) for square in SQUARES_MM])
        (begun,) = planes_of_squares([reader.seen_px[k] for k in (0, 1, 6)], SIDE_MM, most=1)
        first = reader._tiles(picture, begun, [])
        plane, tiles = reader._in_their_plane(picture, begun, first, [])
        assert len(reader._in_their_plane(picture, plane, tiles, [])[1]) == len(tiles)
        first_ones, named = first_ones + len(first), named + len(tiles)
    assert first_ones < named
    assert named > 0.9 * 20 * len(SQUARES_MM)
