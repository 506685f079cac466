"""Tiles judged in the light of all: the right face stays, another one does not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.faces.learning import learn_faces
from vision.locate.plane import HomographyPlane, square_at
from vision.spread.tally_light import STRANGE_SHARE, TilesInLight
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


def in_panes(faces: tuple[str, ...], edge_px: tuple[float, ...]) -> tuple[np.ndarray, list[PlaceReading]]:
    """A picture of tiles in a row, (H, W, 3) uint8, with the sun up to a slanted edge across each; and the tiles."""
    size_px, rng = round(SIDE_MM * PX_PER_MM), np.random.default_rng(1)
    linear = np.full((300, 40 + 170 * len(faces), 3), 0.15)
    sunny = np.zeros(linear.shape[:2], bool)
    rows, columns = np.indices(sunny.shape)
    tiles = []
    for k, (face, edge) in enumerate(zip(faces, edge_px, strict=True)):
        left = 40 + 170 * k
        sized = cv2.resize(cv2.imread(str(REFERENCE / f"{face}.png")), (size_px, size_px), interpolation=cv2.INTER_AREA)
        linear[90 : 90 + size_px, left : left + size_px] = (sized / 255.0) ** 2.2
        here = (columns >= left - 30) & (columns < left + 140)
        sunny |= here & (columns - left + 0.4 * (rows - 90) < edge)
        tiles.append(tile(face, ((left + size_px / 2) / PX_PER_MM, (90 + size_px / 2) / PX_PER_MM), 0.999))
    linear *= np.where(sunny[..., None], (0.75, 0.85, 0.9), (0.3, 0.3, 0.28))
    picture = 255.0 * np.clip(linear, 0, 1) ** (1 / 2.2) + rng.normal(0, 2.0, linear.shape)
    return np.clip(np.rint(picture), 0, 255).astype(np.uint8), tiles


def test_tiles_that_the_edge_of_a_pane_of_sun_crosses_look_like_their_faces(judge: TilesInLight) -> None:
    picture, tiles = in_panes(("fire-3-b", "water-3-a", "flora-4-a", "bonus-2-a"), (70.0, 90.0, 60.0, 80.0))
    lit = judge.light_of(picture, PLANE)(tiles)
    assert lit.strange_shares().max() <= STRANGE_SHARE
    assert [t.face for t in judge.checked(judge.light_of(picture, PLANE), tiles)] == [t.face for t in tiles]


def test_the_sun_that_some_tiles_tell_falls_on_all(judge: TilesInLight) -> None:
    picture, tiles = in_panes(("fire-3-b", "water-3-a", "flora-4-a", "bonus-2-a"), (70.0, 10.0, 10.0, 10.0))
    alone = judge.light_of(picture, PLANE)(tiles).strange_shares()  # little of all print lies in the sun
    light_of = judge.light_of(picture, PLANE)
    light_of(tiles[:1])
    assert light_of(tiles).strange_shares().max() <= STRANGE_SHARE < alone.max()
