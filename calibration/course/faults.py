"""What is wrong with the picture of a piece, before anything is read off it: cut off, too small, glare, blur."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import Enum

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.sharpness import SOFT_PX

U8 = NDArray[np.uint8]
F64 = NDArray[np.float64]

LEAST_SIDE_PX = 50.0
"""The least that faces can be told at (docs/guide/camera.md)."""
SATURATED, NEARLY = 250, 225
"""Levels of the darkest channel at which the camera is blinded, and at which a spot around that ends."""
GLARE_SHARE = 0.012
"""Share of a face from which such a spot hides a figure."""
THIN_SHARE = 0.07
"""Share of the side: what is thinner is a white border or a stroke in bright light."""
RIMS = (0.025, 0.07)
FADING, FADING_SHARE, FADES_BY = 170.0, 0.3, 0.2
"""Shares of the side around a spot: near a reflection so much of the ring is still bright, and further away less by so
much; a white emblem ends at once, and the ground around it is even. The spot may touch white print."""
STROKE_MM = 2.0
"""Width of an edge, mm, at which strokes of 1 mm are mixed with what is beside them."""
EDGE_OF_SIGMA = 2.563
"""Width of a blurred step from 10 to 90 %, in standard deviations of the blur: twice the normal quantile of 0.9."""
ALIKE = 3
"""So many of one outline make smaller ones suspect."""
FLAT = 18.0
"""Grey levels: a face with less contrast shows no edge to measure."""


class PieceFault(Enum):
    """What is wrong with a picture, as people are told (a message id)."""

    CUT_OFF = "It is not wholly in the picture: move it inwards."
    TOO_SMALL = "It is too small in the picture: bring the camera nearer, or choose a higher resolution."
    GLARE = "A lamp is reflected in it: turn the lamp away or move it."
    PARTLY = "Only a part of it is seen against the table: move it. A piece of another shape is laid by itself."
    BLURRED = "It is not sharp: wait until the camera has focused, or hold it still."


def seen_in_part(areas_mm2: Sequence[float], number: int) -> bool:
    """Whether a piece may be one of which the table hides a part: its outline is smaller than that of most in the
    picture. `areas_mm2`: of the outlines of all."""
    usual, count = Counter(round(area) for area in areas_mm2).most_common(1)[0]
    smaller = sum(area < 0.9 * usual for area in areas_mm2)
    return count >= ALIKE and count > smaller and areas_mm2[number] < 0.9 * usual


def fault_of(
    image: U8, corners_px: F64, size_mm: tuple[float, float], rim_px: F64 | None = None,
    least_px: float = LEAST_SIDE_PX,
) -> PieceFault | None:
    """What is wrong with the piece at (4, 2) corners, px, in `image` (H, W, 3) uint8 BGR; None: nothing.

    `rim_px` (N, 2): the outline of one that is no rectangle, within its corners. `least_px`: the shortest side that
    will do, where a piece has several spaces.
    """
    height, width = image.shape[:2]
    rim = corners_px if rim_px is None else rim_px
    if (rim < 1).any() or (rim[:, 0] > width - 2).any() or (rim[:, 1] > height - 2).any():
        return PieceFault.CUT_OFF
    sides = np.linalg.norm(np.roll(corners_px, -1, axis=0) - corners_px, axis=1)
    if float(sides.min()) < least_px:
        return PieceFault.TOO_SMALL
    low, high = np.floor(rim.min(0)).astype(int), np.ceil(rim.max(0)).astype(int) + 1
    crop = image[low[1] : high[1], low[0] : high[0]]
    mask = np.zeros(crop.shape[:2], np.uint8)
    middle = rim.mean(0)
    inner = middle + 0.94 * (rim - middle) - low
    cv2.fillPoly(mask, [np.round(inner).astype(np.int32)], 1)
    if _has_glare(crop, mask):
        return PieceFault.GLARE
    px_per_mm = float(np.sqrt(np.prod(sides[:2])) / np.sqrt(size_mm[0] * size_mm[1]))
    edge = edge_px(crop, mask)
    if edge is not None and edge > max(SOFT_PX, STROKE_MM * px_per_mm):
        return PieceFault.BLURRED
    return None


def _has_glare(crop: U8, mask: U8) -> bool:
    """Whether the camera is blinded somewhere without a sharp edge: print ends sharply, a reflection fades away."""
    darkest = cv2.GaussianBlur(crop, (0, 0), 0.8).min(axis=2)
    side = float(np.sqrt(mask.sum()))
    thin = max(3, round(THIN_SHARE * side))
    blind = ((darkest >= SATURATED) & (mask > 0)).astype(np.uint8)
    blind = cv2.morphologyEx(blind, cv2.MORPH_OPEN, np.ones((thin, thin), np.uint8))
    if float(blind.sum()) < GLARE_SHARE * float(mask.sum()):
        return False
    count, labels = cv2.connectedComponents(((darkest >= NEARLY) & (mask > 0)).astype(np.uint8), connectivity=8)
    for k in range(1, count):
        spot = (labels == k).astype(np.uint8)
        if not (spot & blind).any():
            continue
        near, far = (_bright_around(darkest, spot, mask, max(2, round(share * side))) for share in RIMS)
        if near > FADING_SHARE and near - far > FADES_BY:
            return True
    return False


def _bright_around(darkest: U8, spot: U8, mask: U8, reach_px: int) -> float:
    """Share of the ring `reach_px` around a spot that is still bright; 0 where none of it is on the piece."""
    ring = np.ones((3, 3), np.uint8)
    outer = cv2.dilate(spot, np.ones((2 * reach_px + 1, 2 * reach_px + 1), np.uint8))
    rim = (outer > 0) & (cv2.erode(outer, ring) == 0) & (mask > 0)
    return float((darkest[rim] > FADING).mean()) if rim.any() else 0.0


def edge_px(crop: U8, mask: U8) -> float | None:
    """Width (10 to 90 %, px) of the steepest edges of a piece, as a Gaussian blur would make it; None: no contrast.

    A step of height c blurred by s has the slope c / (s sqrt(2 pi)) in its middle.
    """
    gray = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY).astype(np.float32)
    inside = cv2.erode(mask, np.ones((5, 5), np.uint8)) > 0
    if not inside.any():
        return None
    low, high = np.percentile(gray[inside], (2, 98))
    if high - low < FLAT:
        return None
    slope = np.hypot(cv2.Sobel(gray, cv2.CV_32F, 1, 0, scale=1 / 8), cv2.Sobel(gray, cv2.CV_32F, 0, 1, scale=1 / 8))
    steepest = float(np.percentile(slope[inside], 99.5))
    return EDGE_OF_SIGMA * float(high - low) / (max(steepest, 1e-3) * float(np.sqrt(2 * np.pi)))
