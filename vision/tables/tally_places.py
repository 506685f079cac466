"""Where captured tiles may lie, and which of the tiles found can lie beside each other."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.tables.place import PlaceReading

# Middles of two tiles are at least so many sides apart: they lie beside each other.
APART = 0.7


@dataclass(frozen=True, slots=True)
class Candidate:
    """A square that may be a tile: its middle (2,) mm, its turn, and how many outlines told it."""

    centre_mm: np.ndarray
    turn_deg: float
    votes: int


def corners_of(tile: PlaceReading) -> np.ndarray:
    """(4, 2) plane mm: the upright corners of a tile. Every tile that was read here has them."""
    assert tile.corners_mm is not None
    return tile.corners_mm


def on_any(point_px: np.ndarray, quads_px: list[np.ndarray]) -> bool:
    """Whether a point (2,) px lies in any of the quadrilaterals (4, 2)."""
    x, y = point_px.tolist()
    return any(cv2.pointPolygonTest(q.astype(np.float32), (x, y), False) >= 0 for q in quads_px)


def add_candidate(places: list[list[Candidate]], one: Candidate, near_mm: float) -> None:
    """Put a candidate to the others of its place, or to a new one."""
    near = [p for p in places if np.hypot(*(p[0].centre_mm - one.centre_mm)) < near_mm]
    if near:
        near[0].append(one)
    else:
        places.append([one])


def is_free(middle_mm: np.ndarray, tiles: list[PlaceReading], side_mm: float) -> bool:
    """Whether a tile may lie there beside the others."""
    return all(np.hypot(*(corners_of(t).mean(0) - middle_mm)) >= APART * side_mm for t in tiles)


def without_overlaps(tiles: list[PlaceReading], side_mm: float) -> list[PlaceReading]:
    """Tiles lie beside each other: of two that overlap the likelier one stays."""
    kept: list[PlaceReading] = []
    for tile in sorted(tiles, key=lambda t: -t.p):
        if is_free(corners_of(tile).mean(0), kept, side_mm):
            kept.append(tile)
    return kept
