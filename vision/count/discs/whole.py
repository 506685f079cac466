"""Finds whole pieces that have spots at their edge and a label in the middle, by where the table ends."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.count.discs.search import Found, search_discs
from vision.count.ground import LEVEL, Ground, find_ground

WORK_PX = 700  # of a picture's longer side: the pieces are searched anew in it
# Standard deviations from the table: what is nearer is its grain, what is farther no more another thing.
GRAIN, FAR = 2.5, 8.0
STEP_LAB = 20.0  # between the two, as steep as the edge of a piece of another lightness than the table
AROUND = (1.15, 1.35)  # of a rim's radius: there a piece's own neighbours lie, or the rest of a piece with a label
COVERED = 0.5  # of that which is no table around a label
LABELS = 0.5  # of the rims, when what was found are labels
GAIN = 1.2  # so much more rim must be seen of whole pieces than of what they are thought to bear


def search_whole_pieces(picture: NDArray[np.uint8], found: Found) -> Found:
    """The round pieces of a picture (H, W, 3) uint8 BGR in which rims were found: whole pieces where those are but
    labels in their middles, or too broken by spots to be round; else what was found.
    """
    share = min(1.0, WORK_PX / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA) if share < 1 else picture
    ground = find_ground(small)
    if found.round and not _are_labels(found.scaled(share), ground):
        return found
    steep = (np.clip(ground.difference, GRAIN, FAR) - GRAIN) * STEP_LAB / (FAR - GRAIN) / np.sqrt(3)
    whole = search_discs(np.repeat(steep[..., None], 3, axis=2).astype(np.float32)).scaled(1 / share)
    return whole if whole.round and (not found.round or whole.rim > GAIN * found.rim) else found


def _are_labels(found: Found, ground: Ground) -> bool:
    """Whether most rims are surrounded by what is no table."""
    lying = (ground.difference > LEVEL).astype(np.uint8)
    covered = [_part_around(lying, outline) > COVERED for outline in found.outlines]
    return bool(np.mean(covered) >= LABELS)


def _part_around(mask: NDArray[np.uint8], outline: NDArray[np.float64]) -> float:
    """The part of a ring around an outline that a mask covers."""
    middle = outline.mean(axis=0)
    low = np.maximum(np.floor(middle + AROUND[1] * (outline - middle)).min(axis=0).astype(int), 0)
    high = np.ceil((middle + AROUND[1] * (outline - middle)).max(axis=0)).astype(int) + 1
    own = mask[low[1] : high[1], low[0] : high[0]]
    ring = np.zeros(own.shape, np.uint8)
    for reach, value in ((AROUND[1], 1), (AROUND[0], 0)):
        cv2.fillPoly(ring, [np.round(middle + reach * (outline - middle) - low).astype(np.int32)], value)
    return float(own[ring.astype(bool)].mean()) if ring.any() else 0.0
