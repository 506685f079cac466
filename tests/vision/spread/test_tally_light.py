"""Tiles judged in the light of all: the right face stays, another one does not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.faces.learning import learn_faces
from vision.locate.plane import HomographyPlane, square_at
from vision.spread.tally_light import TilesInLight
from vision.tables.face_at_place import BoxFaces
from vision.tables.place import TILE, PlaceReading, PlaceState

REFERENCE = Path(__file__).parents[1] / "fixtures" / "sample" / "reference"
SIDE_MM, PX_PER_MM = 55.0, 2.0
PLANE = HomographyPlane(np.diag([1 / PX_PER_MM, 1 / PX_PER_MM, 1.0]))


@pytest.fixture(scope="module")
def judge() -> TilesInLight:
    scans = {path.stem: cv2.imread(str(path)) for path in sorted(REFERENCE.glob("*.png"))}
    book = learn_faces({face: [scan] for face, scan in scans.items()})
    return TilesInLight(BoxFaces.of(book, scans, SIDE_MM, {}), SIDE_MM)


def tile(face: str, middle_mm: tuple[float, float], p: float) -> PlaceReading:
    square = square_at(np.array(middle_mm), SIDE_MM, 0.0)
    return PlaceReading("", TILE, PlaceState.FACE, face, p, 0, ((face, p),), corners_mm=square)


@pytest.mark.parametrize(("p", "becomes"), [(0.99, "water-3-a"), (1.0, None)])
def test_a_wrong_name_is_mended_where_it_was_in_doubt_or_else_taken_back(
    judge: TilesInLight, p: float, becomes: str | None
) -> None:
    size_px = round(SIDE_MM * PX_PER_MM)
    picture = np.full((300, 420, 3), 100, np.uint8)
    for face, left in (("fire-3-b", 60), ("water-3-a", 230)):
        scan = cv2.imread(str(REFERENCE / f"{face}.png"))
        sized = cv2.resize(scan, (size_px, size_px), interpolation=cv2.INTER_AREA)
        picture[90 : 90 + size_px, left : left + size_px] = sized
    y_mm = (90 + size_px / 2) / PX_PER_MM
    places_mm = [((left + size_px / 2) / PX_PER_MM, y_mm) for left in (60, 230)]
    right, wrong = (tile(face, at, p) for face, at in zip(("fire-3-b", "flora-4-a"), places_mm, strict=True))
    light_of = judge.light_of(picture, PLANE)
    assert [t.face for t in judge.checked(light_of, [right, wrong])] == ["fire-3-b", becomes]
    assert judge.checked(light_of, []) == []
    lit = light_of([right])
    assert light_of([replace(right, p=0.5)]) is lit  # the same face in the same place
    assert light_of([wrong]) is not lit
