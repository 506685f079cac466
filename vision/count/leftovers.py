"""Corrects what the rims say: pieces whose rim was not seen, and round rims that are only print or a stain."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.count.ground import LEVEL, Ground, to_lab

AROUND = 1.25  # of a counted piece's size: its rim, its thickness and its contact shadow
SIZES = (0.45, 1.8)  # of a piece's area: smaller things are crumbs and shadows, larger ones other things
FILLED = 0.75  # of its convex hull that a piece fills
SIMILAR_LAB = 10.0  # from a colour in the picture's light: what is farther is another thing
SOFT_PX = 1.0
# Of a rim's radius: what it encloses, and rings around it and its ink.
WITHIN, BEYOND = 0.6, (1.15, 1.4, 1.7, 2.0)
SAME_LAB = 8.0  # between the two when the rim is but a line on one ground


def rimless_pieces(
    small: NDArray[np.uint8], ground: Ground, outlines: list[NDArray[np.float64]], colours_lab: NDArray[np.float32]
) -> list[NDArray[np.int32]]:
    """Outlines (N, 2) of things of a piece's size and Lab colour (K, 3) in a picture (H, W, 3) uint8 BGR, outside the
    outlines of the pieces that were found.
    """
    if not outlines:
        return []
    mask = ((ground.difference > LEVEL) & ~ground.shadow).astype(np.uint8)
    areas = []
    for outline in outlines:
        middle = outline.mean(axis=0)
        cv2.fillPoly(mask, [np.round(middle + AROUND * (outline - middle)).astype(np.int32)], 0)
        areas.append(cv2.contourArea(outline.astype(np.float32)))
    usual = float(np.median(areas))
    breadth = max(3, int(0.5 * np.sqrt(usual)) | 1)
    mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (breadth, breadth)))
    lab = cv2.GaussianBlur(to_lab(small), (0, 0), SOFT_PX)
    things = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]
    return [thing[:, 0] for thing in things if _is_piece(thing, usual, lab, colours_lab)]


def _is_piece(
    outline: NDArray[np.int32], usual: float, lab: NDArray[np.float32], colours_lab: NDArray[np.float32]
) -> bool:
    area = cv2.contourArea(outline)
    if not SIZES[0] * usual < area < SIZES[1] * usual or area < FILLED * cv2.contourArea(cv2.convexHull(outline)):
        return False
    inside = np.zeros(lab.shape[:2], np.uint8)
    cv2.fillPoly(inside, [outline], 1)
    colour = np.median(lab[inside.astype(bool)], axis=0)
    return bool(np.linalg.norm(colours_lab - colour, axis=1).min() < SIMILAR_LAB)


def is_printed(picture: NDArray[np.uint8], outline: NDArray[np.float64]) -> bool:
    """Whether a rim in a picture (H, W, 3) uint8 BGR encloses what lies around it, as the loop of an 8 does."""
    middle = outline.mean(axis=0)
    reach = middle + BEYOND[-1] * (outline - middle)
    low = np.maximum(np.floor(reach.min(axis=0)).astype(int), 0)
    high = np.ceil(reach.max(axis=0)).astype(int) + 1
    lab = to_lab(picture[low[1] : high[1], low[0] : high[0]])
    level = np.zeros(lab.shape[:2], np.uint8)  # 1 in the outermost ring, more further in
    for depth, share in enumerate((*BEYOND[::-1], WITHIN), start=1):
        cv2.fillPoly(level, [np.round(middle + share * (outline - middle) - low).astype(np.int32)], depth)
    zones = [lab[level == depth] for depth in range(1, len(BEYOND) + 2)]
    inside, around = zones[-1], [zone for zone in zones[: len(BEYOND) - 1] if len(zone)]
    if not len(inside):
        return False
    return any(np.linalg.norm(np.median(inside, axis=0) - np.median(ring, axis=0)) < SAME_LAB for ring in around)
