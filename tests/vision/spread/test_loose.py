"""Loose pieces on a table are found at any place and turn, with their edges, and nothing else is."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from small_set import SMALL_SET

from vision.locate.markers import MarkerLayout
from vision.locate.pose import NotLocated, TablePose, locate_table
from vision.spread.loose import LoosePieces, find_loose

TILE_MM, THICK_MM = (55.0, 55.0), 2.0
TALLIES = sorted((SMALL_SET / "tally").glob("*.jpg"))
PX_PER_MM, HALF_WH_MM = 2.0, (270.0, 220.0)  # of a table that is drawn here
EDGE_PX = 4.0  # a camera shows a tile's side as 60 to 120 px: an edge is right to a twentieth of it


def looked(path: Path) -> tuple[LoosePieces, list[np.ndarray]]:
    """What is found in a picture, and the corners of the tiles that lie there."""
    image = cv2.imread(str(path))
    pose = locate_table(image, MarkerLayout())
    found = find_loose(image, None if isinstance(pose, NotLocated) else pose, TILE_MM, THICK_MM, MarkerLayout())
    truth = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))["tiles"]
    return found, [np.array(tile["corners_px"]) for tile in truth]


def off_px(corners: np.ndarray, wanted: np.ndarray) -> float:
    """How far corners are from those of a tile, whichever is called the first."""
    return min(float(np.abs(np.roll(corners, k, axis=0) - wanted).max()) for k in range(4))


@pytest.mark.parametrize("path", TALLIES, ids=lambda path: path.stem)
def test_every_tile_that_was_spread_is_outlined_and_nothing_else(path: Path) -> None:
    found, tiles = looked(path)
    if found.by == "pieces":
        pytest.skip("no markers lie in this picture; tested below")
    assert len(found.pieces) == len(tiles)
    for wanted in tiles:
        assert min(off_px(one.corners_px, wanted) for one in found.pieces) < EDGE_PX


def test_without_markers_the_tiles_tell_the_table_themselves() -> None:
    image = cv2.imread(str(TALLIES[0]))
    found = find_loose(image, None, TILE_MM, THICK_MM, MarkerLayout())
    _, tiles = looked(TALLIES[0])
    assert found.by == "pieces"
    for wanted in tiles:
        assert min(off_px(one.corners_px, wanted) for one in found.pieces) < EDGE_PX


def test_a_bare_table_shows_no_pieces() -> None:
    wood = np.random.default_rng(2).normal(120, 6, (720, 1280, 3))
    picture = np.clip(cv2.GaussianBlur(wood, (0, 0), 2.0) * 1.1, 0, 255).astype(np.uint8)
    assert find_loose(picture, None, TILE_MM, THICK_MM, MarkerLayout()).pieces == ()


def chequered_table(check_mm: float) -> tuple[np.ndarray, TablePose]:
    """A cloth with checks of two colours that cross, with markers, straight from above; and where its middle is."""
    markers = MarkerLayout()
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, markers.dictionary))
    check = round(check_mm * PX_PER_MM)
    rows, columns = (np.arange(round(2 * half * PX_PER_MM)) // check % 2 for half in reversed(HALF_WH_MM))
    shades = np.array([[[206, 210, 208], [150, 108, 126]], [[150, 108, 126], [96, 22, 80]]], float)
    woven = shades[rows[:, None], columns[None]] + np.random.default_rng(3).normal(0, 3, (len(rows), len(columns), 1))
    picture = np.clip(cv2.GaussianBlur(woven, (0, 0), 0.7), 0, 255).astype(np.uint8)
    for marker, xy_mm in markers.centres_mm.items():
        side = round(markers.side_mm * PX_PER_MM)
        printed = cv2.aruco.generateImageMarker(dictionary, marker, side)
        printed = cv2.copyMakeBorder(printed, 10, 10, 10, 10, cv2.BORDER_CONSTANT, value=(255,))
        lay(picture, cv2.cvtColor(printed, cv2.COLOR_GRAY2BGR), xy_mm)
    pose = locate_table(picture, markers)
    assert not isinstance(pose, NotLocated)
    return picture, pose


def lay(picture: np.ndarray, face: np.ndarray, xy_mm: tuple[float, float]) -> np.ndarray:
    """Lay a face on the table; returns its corners, px."""
    height, width = face.shape[:2]
    x = round((xy_mm[0] + HALF_WH_MM[0]) * PX_PER_MM - width / 2)
    y = round((xy_mm[1] + HALF_WH_MM[1]) * PX_PER_MM - height / 2)
    picture[y : y + height, x : x + width] = face
    return np.array([(x, y), (x + width, y), (x + width, y + height), (x, y + height)], float)


def test_checks_of_a_cloth_as_large_as_a_tile_are_no_pieces() -> None:
    picture, pose = chequered_table(TILE_MM[0])
    side = round(TILE_MM[0] * PX_PER_MM)
    face = np.full((side, side, 3), (60, 160, 70), np.uint8)
    cv2.circle(face, (side // 2, side // 2), side // 4, (240, 240, 240), -1)
    laid = [lay(picture, face, xy_mm) for xy_mm in ((-110, -60), (15, 20), (120, 75))]
    found = find_loose(picture, pose, TILE_MM, THICK_MM, MarkerLayout())
    assert len(found.pieces) == len(laid)
    for wanted in laid:
        assert min(off_px(one.corners_px, wanted) for one in found.pieces) < EDGE_PX


def test_tiles_in_nearly_the_colours_of_a_cloth_are_pieces() -> None:
    """Their ground is near the mean of two checks, and a white border lies on a white check."""
    picture, pose = chequered_table(70.0)
    side = round(TILE_MM[0] * PX_PER_MM)
    face = np.full((side, side, 3), (206, 210, 208), np.uint8)
    cv2.rectangle(face, (6, 6), (side - 7, side - 7), (150, 100, 116), -1)
    cv2.circle(face, (side // 2, side // 2), side // 4, (206, 210, 208), -1)
    laid = [lay(picture, face, xy_mm) for xy_mm in ((-110, -60), (15, 20), (120, 75), (-40, 110))]
    found = find_loose(picture, pose, TILE_MM, THICK_MM, MarkerLayout())
    assert len(found.pieces) == len(laid)
    for wanted in laid:
        assert min(off_px(one.corners_px, wanted) for one in found.pieces) < EDGE_PX
