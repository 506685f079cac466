"""Tiles of a tally whose outlines the table hides: found by their sides and by what is printed on them."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.faces.learning import learn_faces
from vision.locate.camera_model import Camera
from vision.locate.plane import HomographyPlane, planes_of_squares, square_at
from vision.locate.pose import TablePose
from vision.locate.squares import find_squares
from vision.spread import tally
from vision.spread.tally import TallyReader
from vision.tables.face_at_place import read_faces

REFERENCE = Path(__file__).parents[1] / "fixtures" / "sample" / "reference"
TILE_PX = 110


@pytest.fixture(scope="module")
def reader() -> TallyReader:
    scans = {path.stem: cv2.imread(str(path)) for path in sorted(REFERENCE.glob("*.png"))}
    return TallyReader(learn_faces({face: [scan] for face, scan in scans.items()}), scans)


def cloth(square_px: int, *colours_bgr: tuple[int, int, int]) -> np.ndarray:
    """A chequered cloth (720, 1280, 3) with some noise."""
    rows, columns = np.indices((720, 1280)) // square_px
    picture = np.array(colours_bgr, np.float64)[(rows + columns) % len(colours_bgr)]
    return np.clip(picture + np.random.default_rng(3).normal(0, 2.0, picture.shape), 0, 255).astype(np.uint8)


def lay(picture: np.ndarray, face: str, middle: tuple[float, float], turn_deg: float) -> None:
    """A tile seen from above, its outline softened into the table as a camera does."""
    scan = cv2.imread(str(REFERENCE / f"{face}.png"))
    share = TILE_PX / scan.shape[1]
    place = cv2.getRotationMatrix2D(((scan.shape[1] - 1) / 2, (scan.shape[0] - 1) / 2), -turn_deg, share)
    place[:, 2] += np.array(middle) - ((scan.shape[1] - 1) / 2, (scan.shape[0] - 1) / 2)
    size = (picture.shape[1], picture.shape[0])
    tile = cv2.warpAffine(scan, place, size, flags=cv2.INTER_AREA)
    cover = cv2.warpAffine(np.ones(scan.shape[:2], np.float32), place, size)
    cover = cv2.GaussianBlur(cover, (0, 0), 1.0)[..., None]
    picture[:] = (picture * (1 - cover) + tile * cover).astype(np.uint8)


def border_of(face: str) -> tuple[int, int, int]:
    """The colour of a tile's outermost print."""
    scan = cv2.imread(str(REFERENCE / f"{face}.png"))
    rim = np.concatenate([scan[2:4].reshape(-1, 3), scan[-4:-2].reshape(-1, 3)])
    blue, green, red = np.median(rim, axis=0).astype(int).tolist()
    return blue, green, red


def test_a_tile_whose_outline_the_cloth_hides_is_found_and_named(reader: TallyReader) -> None:
    faces = ("fire-3-b", "water-3-a", "flora-4-a")
    picture = cloth(150, border_of("fire-3-b"), (90, 90, 90), (200, 205, 210))
    for face, middle, turn in zip(faces, ((420, 330), (580, 345), (735, 300)), (8.0, -13.0, 97.0), strict=True):
        lay(picture, face, middle, turn)
    reading = reader.read(picture, None)
    assert sorted(reading.faces) == sorted(faces)


def test_a_cloth_with_squares_of_a_tiles_size_holds_no_tile(reader: TallyReader) -> None:
    picture = cloth(TILE_PX, border_of("fire-3-b"), (90, 90, 90), (200, 205, 210))
    for face, middle in (("water-3-a", (495, 385)), ("flora-4-a", (640, 390))):
        lay(picture, face, middle, 5.0)
    assert sorted(reader.read(picture, None).faces) == ["flora-4-a", "water-3-a"]


def test_tiles_under_the_edge_of_a_pane_of_sun_are_named(reader: TallyReader) -> None:
    faces = ("fire-3-b", "water-3-a", "flora-4-a")
    picture = cloth(720, (90, 100, 110))
    for face, middle, turn in zip(faces, ((420, 330), (580, 345), (735, 300)), (8.0, -13.0, 97.0), strict=True):
        lay(picture, face, middle, turn)
    rows, columns = np.indices((720, 1280))
    sunny = (columns + rows // 3 > 645) & (columns < 735)  # a corner of one tile, and half of another
    picture[sunny] = np.clip(picture[sunny] * 1.5, 0, 255).astype(np.uint8)
    assert sorted(reader.read(picture, None).faces) == sorted(faces)


def test_tiles_that_a_veil_leaves_hardly_any_contrast_are_named(reader: TallyReader) -> None:
    faces = ("fire-3-b", "water-3-a", "flora-4-a")
    picture = cloth(720, (90, 100, 110))
    for face, middle, turn in zip(faces, ((420, 330), (580, 345), (735, 300)), (8.0, -13.0, 97.0), strict=True):
        lay(picture, face, middle, turn)
    noise = np.random.default_rng(5).normal(0, 4.0, picture.shape)
    veiled = np.clip(40 + 0.15 * picture + noise, 0, 255).astype(np.uint8)
    assert sorted(reader.read(veiled, None).faces) == sorted(faces)


def test_a_tile_in_a_coloured_shade_that_looks_like_no_face_at_first_is_named_by_its_print(
    reader: TallyReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    faces = ("fire-3-b", "water-3-a", "flora-4-a")
    picture = cloth(720, (190, 200, 210))
    for face, middle, turn in zip(faces, ((420, 330), (580, 345), (735, 300)), (8.0, -13.0, 97.0), strict=True):
        lay(picture, face, middle, turn)
    shade = (slice(270, 420), slice(505, 655))
    picture[shade] = picture[shade] * (0.2, 0.35, 0.15) + 25
    cv2.rectangle(picture, (850, 300), (850 + TILE_PX, 300 + TILE_PX), (60, 110, 60), -1)  # a plain thing as large
    monkeypatch.setattr(tally, "NOTHING_LIKE_IT", 0.03)
    reading = reader.read(picture, None)
    assert sorted(reading.faces) == sorted(faces)
    assert [tile.face for tile in reading.tiles].count(None) == 1


def test_a_tile_that_leaves_its_twins_as_likely_is_in_doubt_and_not_none() -> None:
    scans = {path.stem: cv2.imread(str(path)) for path in sorted(REFERENCE.glob("*.png"))}
    twin = scans["water-3-a"].copy()
    height, width = twin.shape[:2]
    twin[round(0.8 * height) : round(0.82 * height), round(0.8 * width) : round(0.82 * width)] = 0
    scans["water-3-twin"] = twin
    reader = TallyReader(learn_faces({face: [scan] for face, scan in scans.items()}), scans)
    picture = cloth(720, (90, 100, 110))
    for face, middle in (("fire-3-b", (420, 330)), ("flora-4-a", (735, 300)), ("water-3-a", (580, 345))):
        lay(picture, face, middle, 8.0)
    box = (slice(270, 420), slice(505, 655))
    soft = 60 + 0.35 * cv2.GaussianBlur(picture[box].astype(np.float32), (0, 0), 1.5)
    noise = cv2.GaussianBlur(np.random.default_rng(5).normal(0, 14.0, soft.shape), (0, 0), 0.7)
    picture[box] = np.clip(soft + noise, 0, 255).astype(np.uint8)
    tiles = reader.read(picture, None).tiles
    (doubtful,) = (tile for tile in tiles if np.hypot(*(np.array(tile.centre_px) - (580, 345))) < 5)
    assert doubtful.p > 0.0
    assert {face for face, _ in doubtful.alternatives[:2]} == {"water-3-a", "water-3-twin"}


def test_one_likely_tile_tells_the_size_of_all_where_larger_squares_of_a_cloth_told_the_plane(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    faces = ("fire-3-b", "water-3-a", "flora-4-a")
    scans = {path.stem: cv2.imread(str(path)) for path in sorted(REFERENCE.glob("*.png"))}
    for face in faces:  # twins are not told apart in a wrong size
        twin = scans[face].copy()
        height, width = twin.shape[:2]
        twin[round(0.8 * height) : round(0.84 * height), round(0.8 * width) : round(0.84 * width)] = 0
        scans[f"{face}-twin"] = twin
    reader = TallyReader(learn_faces({face: [scan] for face, scan in scans.items()}), scans)
    picture = cloth(720, (90, 100, 110))
    for face, middle, turn in zip(faces, ((420, 330), (580, 345), (735, 300)), (8.0, -13.0, 97.0), strict=True):
        lay(picture, face, middle, turn)
    noisy = 40 + 0.4 * picture + np.random.default_rng(5).normal(0, 4.0, picture.shape)

    def told_by_cloth(quads_px: list[np.ndarray], side_mm: float, most: int = 3) -> list[HomographyPlane]:
        found = planes_of_squares(quads_px, side_mm, most)
        return [plane.enlarged(0.89) for plane in found] if most > 1 else found

    monkeypatch.setattr(tally, "planes_of_squares", told_by_cloth)
    reading = reader.read(np.clip(noisy, 0, 255).astype(np.uint8), None)
    assert sorted(reading.faces) == sorted(faces)


def test_where_no_outline_is_seen_tiles_between_the_markers_are_found_by_their_sides(
    reader: TallyReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    faces = ("fire-3-b", "water-3-a", "flora-4-a")
    picture = cloth(720, (90, 100, 110))
    for number, face in enumerate(faces):  # side by side, 2 px a mm
        lay(picture, face, (640 + (number - 1) * TILE_PX, 360), 90.0 * number)
    camera = Camera.estimated((1280, 720))
    above = np.array([0.0, 0.0, 55.0 / TILE_PX * camera.matrix[0, 0]])
    monkeypatch.setattr(tally, "find_quads", lambda _: [])
    reading = reader.read(picture, TablePose(camera, np.zeros(3), above, "markers", 0.1))
    assert (sorted(reading.faces), reading.sure) == (sorted(faces), True)


def test_a_tile_of_which_some_print_is_seen_in_the_dark_is_judged_with_the_others(reader: TallyReader) -> None:
    lit = np.full((320, 480, 3), (90, 100, 110), np.uint8)
    lay(lit, "water-3-a", (240, 160), 0.0)
    mm_a_px = 55.0 / TILE_PX
    plane = HomographyPlane(np.diag([mm_a_px, mm_a_px, 1.0]))
    place = square_at(np.array([240.0, 160.0]) * mm_a_px, 55.0, 0.0)
    (named,) = read_faces(lit, plane, [place], reader.faces.book, rigid=True)
    little_like = replace(named, likeness=5.0, reading=replace(named.reading, face=None, p=0.5))
    grain = np.random.default_rng(5).normal(0, 1, lit.shape)
    dark = np.clip(0.1 * lit + 29.0 * cv2.GaussianBlur(grain, (0, 0), 0.7), 0, 255).astype(np.uint8)
    assert reader._tile(dark, plane, little_like).p == 0.5
    bare = np.clip(9.0 + 29.0 * cv2.GaussianBlur(grain, (0, 0), 0.7), 0, 255).astype(np.uint8)
    assert reader._tile(bare, plane, little_like).p == 0.0


def test_squares_are_found_in_any_turn_with_a_side_that_cannot_be_seen() -> None:
    picture = np.full((300, 400, 3), 120, np.uint8)
    picture[:, 200:] = (60, 60, 200)  # the table has the square's own colour where its right side lies
    corners = cv2.boxPoints(((180.0, 150.0), (60.0, 60.0), 21.0)).astype(np.int32)
    cv2.fillConvexPoly(picture, corners, (60, 60, 200))
    everywhere = np.ones(picture.shape[:2], bool)
    best = find_squares(picture, 60.0, everywhere, most=5)
    assert any(np.hypot(*(s.centre_px - (180, 150))) < 3 and abs(s.turn_deg - 21) <= 3 for s in best)
    assert all(s.strength >= t.strength for s, t in pairwise(best))
    assert find_squares(picture, 60.0, ~everywhere, most=5) == []
