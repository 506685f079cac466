"""Where rows of tiles go on, and tiles of which nothing but their print is seen there."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.appearance.leftovers import LeftoverJudge
from vision.faces.learning import learn_faces
from vision.locate.plane import HomographyPlane, square_at
from vision.spread.tally_by_print import TilesByPrint, next_in_rows
from vision.spread.tally_light import TilesInLight, corners_of
from vision.tables.face_at_place import BoxFaces
from vision.tables.place import TILE, PlaceReading, PlaceState

REFERENCE = Path(__file__).parents[1] / "fixtures" / "sample" / "reference"
SIDE_MM, PX_PER_MM = 55.0, 2.0
PLANE = HomographyPlane(np.diag([1 / PX_PER_MM, 1 / PX_PER_MM, 1.0]))
FACES = ("fire-3-b", "fire-2-a", "water-3-a", "flora-4-a", "bonus-3-a")
ROW = [np.array([x, 100.0]) for x in (90.0, 160.0)]


def test_rows_go_on_beyond_two_tiles_and_at_the_fourth_corner_of_three() -> None:
    corner = [*ROW, np.array([88.0, 172.0])]
    found = [tuple(middle.tolist()) for middle, turn in next_in_rows(corner, [4.0, 4.0, 4.0], SIDE_MM) if turn == 4.0]
    assert (158.0, 172.0) in found
    assert {(20.0, 100.0), (230.0, 100.0), (92.0, 28.0), (86.0, 244.0)} <= set(found)
    # of tiles that lie far apart, or on one another, nothing follows
    assert next_in_rows([ROW[0], ROW[0] + 150.0], [0.0, 0.0], SIDE_MM) == []


@pytest.mark.parametrize("there", ["fire-3-b", None])
def test_a_tile_of_the_tables_colour_is_found_by_its_print_where_the_row_goes_on(there: str | None) -> None:
    scans = {face: cv2.imread(str(REFERENCE / f"{face}.png")) for face in FACES}
    book = learn_faces({face: [scan] for face, scan in scans.items()})
    light = TilesInLight(BoxFaces.of(book, scans, SIDE_MM, {}), SIDE_MM)
    picture = np.full((400, 640, 3), scans["fire-3-b"][64, 10], np.uint8)  # a table of the tile's ground
    size_px = round(SIDE_MM * PX_PER_MM)
    places = [("water-3-a", ROW[0]), ("flora-4-a", ROW[1]), (there, np.array([228.0, 101.0]))]
    for face, middle in places:
        if face is not None:
            x, y = np.round(middle * PX_PER_MM - size_px / 2).astype(int)
            picture[y : y + size_px, x : x + size_px] = cv2.resize(
                scans[face], (size_px,) * 2, interpolation=cv2.INTER_AREA
            )
    known = [
        PlaceReading("", TILE, PlaceState.FACE, face, 1.0, 0, ((face, 1.0),), corners_mm=square_at(at, SIDE_MM, 0.0))
        for face, at in places[:2]
        if face is not None
    ]
    over = LeftoverJudge(picture, [PLANE.to_px(corners_of(t)) for t in known])
    found = TilesByPrint(light).found(PLANE, known, light.light_of(picture, PLANE)(known), over)
    assert [t.face for t in found] == ([] if there is None else [there])
    if there is not None:
        assert np.abs(corners_of(found[0]).mean(0) - places[2][1]).max() < 0.6
