"""Without markers the plane of a tally is told by its tiles: by those named first, then by all named in their plane."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import pytest

from vision.faces.book import FaceBook
from vision.locate.plane import HomographyPlane, Plane, fit_square, planes_of_squares, square_at
from vision.locate.quads import Quad
from vision.spread.tally import SQUARENESS, TallyReader
from vision.tables.face_at_place import BoxFaces
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
    cloth_px: list[np.ndarray] = field(default_factory=list)
    copies: Mapping[str, int] = field(default_factory=dict)
    as_large: float = AS_LARGE

    def __post_init__(self) -> None:
        self.faces = BoxFaces(FaceBook.__new__(FaceBook), {}, dict(self.copies))

    def _tiles(self, image: np.ndarray, plane: Plane, quads: list[Quad]) -> list[PlaceReading]:  # noqa: ARG002
        found = []
        names = [*("like cloth" for _ in self.cloth_px), *(f"tile {number}" for number in range(len(self.seen_px)))]
        for name, corners_px in zip(names, [*self.cloth_px, *self.seen_px], strict=True):
            corners = plane.to_mm(corners_px)
            _, _, side, misfit = fit_square(corners)
            if abs(side / SIDE_MM - 1.0) < self.as_large and misfit < self.as_large:
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


@pytest.mark.parametrize(("copies", "misled"), [({"like cloth": 1}, False), ({}, True)], ids=["known", "unknown"])
def test_squares_of_a_cloth_named_more_often_than_the_box_holds_the_face_tell_no_plane(
    copies: Mapping[str, int], misled: bool
) -> None:
    rng = np.random.default_rng(5)
    cloth = [square_at(np.array([52.0 * k, -52.0 * row]), 52.0, 0.0) for row in range(1, 5) for k in range(8)]
    cloth_px = [TABLE.to_px(square) + rng.normal(0, SEEN_TO_PX / 2, (4, 2)) for square in cloth]
    tiles_px = [TABLE.to_px(square) + rng.normal(0, SEEN_TO_PX / 2, (4, 2)) for square in SQUARES_MM]
    reader = _BySize(tiles_px, cloth_px=cloth_px, copies=copies, as_large=SQUARENESS)
    picture = np.zeros((720, 1280, 3), np.uint8)
    (begun,) = planes_of_squares(cloth_px, SIDE_MM, most=1)
    plane, _ = reader._in_their_plane(picture, begun, reader._tiles(picture, begun, []), [])
    sides = [fit_square(plane.to_mm(corners))[2] for corners in reader.seen_px]
    assert (abs(float(np.median(sides)) / SIDE_MM - 1.0) > 0.01) is misled
