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
# Spots as pale as the table cut a chip into a cog: its notches are a third of its radius broad, and its core, without
# them, has 0.7 of it. What is closed over so much of the core's radius is a disc again.
NOTCH_OF_CORE = 0.8
FACE_OF_CORE = 1.15  # of the core's radius: a pale chip's face within its dark spots; what is wider is table
LEAST_CORE_PX = 4.0
SMOOTH_OF_CORE = 0.25  # of the core's radius: what is left of the notches is smaller


def search_whole_pieces(picture: NDArray[np.uint8], found: Found) -> Found:
    """The round pieces of a picture (H, W, 3) uint8 BGR in which rims were found: whole pieces where those are but
    labels in their middles, or too broken by spots to be round; else what was found.
    """
    share = min(1.0, WORK_PX / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA) if share < 1 else picture
    ground = find_ground(small)
    if found.round and not _are_labels(found.scaled(share), ground):
        return found
    steep = (np.clip(ground.difference, GRAIN, FAR) - GRAIN) * STEP_LAB / (FAR - GRAIN)
    whole = _search(steep).scaled(1 / share)
    if not whole.round:
        lying = ground.difference > LEVEL
        filled = without_notches(lying, usual_core(lying))
        whole = _search(STEP_LAB * filled.astype(np.float32)).scaled(1 / share)
    return whole if whole.round and (not found.round or whole.rim > GAIN * found.rim) else found


def _search(steep: NDArray[np.float32]) -> Found:
    """The round pieces of a picture (H, W) of one channel."""
    return search_discs(np.repeat((steep / np.sqrt(3)).astype(np.float32)[..., None], 3, axis=2))


def usual_core(lying: NDArray[np.bool_]) -> float:
    """The radius in px of the largest circle within the usual thing of a mask (H, W), by area; 0.0 without any."""
    mask = lying.astype(np.uint8)
    number, labels, stats, _ = cv2.connectedComponentsWithStats(mask)
    cores = _widest(mask, labels, number)
    areas = np.where(cores > LEAST_CORE_PX, stats[:, cv2.CC_STAT_AREA], 0)
    areas[0] = 0
    order = np.argsort(cores)
    middle = np.searchsorted(np.cumsum(areas[order]), areas.sum() / 2)
    return float(cores[order][middle]) if areas.any() else 0.0


def without_notches(lying: NDArray[np.bool_], core_px: float) -> NDArray[np.bool_]:
    """What lies there (H, W), the notches of cogs with such a core closed, and holes that are no wider filled."""
    breadth = max(3, round(NOTCH_OF_CORE * core_px) | 1)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (breadth, breadth))
    closed = cv2.morphologyEx(lying.astype(np.uint8), cv2.MORPH_CLOSE, kernel)
    holes = (1 - closed).astype(np.uint8)
    number, labels = cv2.connectedComponents(holes, connectivity=4)
    narrow = _widest(holes, labels, number) < FACE_OF_CORE * core_px
    filled = ((closed > 0) | narrow[labels]).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(filled, (0, 0), max(0.5, SMOOTH_OF_CORE * core_px)) > 0.5)


def _widest(mask: NDArray[np.uint8], labels: NDArray[np.int32], number: int) -> NDArray[np.float64]:
    """(number,) radius of the largest circle within each labelled thing of a mask (H, W)."""
    widest = np.zeros(number)
    np.maximum.at(widest, labels.ravel(), cv2.distanceTransform(mask, cv2.DIST_L2, 5).ravel())
    return widest


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
