"""Loose pieces on a table are found at any place and turn, with their edges, and nothing else is."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from small_set import SMALL_SET

from vision.locate.markers import MarkerLayout
from vision.locate.pose import NotLocated, locate_table
from vision.spread.loose import LoosePieces, find_loose

TILE_MM, THICK_MM = (55.0, 55.0), 2.0
TALLIES = sorted((SMALL_SET / "tally").glob("*.jpg"))
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
