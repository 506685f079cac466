"""The same place on two faces compared: how alike what is printed there is, whatever the light."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.face_print.face_view import SIDE, PrintView

F32 = NDArray[np.float32]
Box = tuple[int, int, int, int]
"""Left, top, right, bottom, px of a FaceView."""

SLIP_PX = 3
"""A cut misses by so much of the side's 160 px."""
PART_PX, PART_STEP_PX, PART_SLIP_PX = 20, 5, 1
"""Parts of two emblems that are compared, px of a `print_map` of 80: a quarter of the side; a cut that is askew leaves
them a pixel off each other."""
PART_PRINT = 6.0
"""Lab distance, on the average of a part, from which something is printed on it: of the 40 that a map has at most."""


def likeness(one: PrintView, other: PrintView, box: Box, slip_px: int = SLIP_PX) -> float:
    """Correlation (-1 to 1) of the grey picture in a box of `one` with the best place within `slip_px` of `other`."""
    left, top, right, bottom = box
    left, top = max(slip_px, left), max(slip_px, top)
    right, bottom = min(SIDE - slip_px, right), min(SIDE - slip_px, bottom)
    around = other.gray[top - slip_px : bottom + slip_px, left - slip_px : right + slip_px]
    return float(cv2.matchTemplate(around, one.gray[top:bottom, left:right], cv2.TM_CCOEFF_NORMED).max())


def contrast(view: PrintView, box: Box) -> float:
    """Standard deviation of the grey levels in a box: below a few, nothing is printed there."""
    left, top, right, bottom = box
    return float(view.gray[top:bottom, left:right].std())


def emblem_likeness(one: F32, other: F32, slip_px: int = SLIP_PX) -> float:
    """How alike (-1 to 1) two emblems are: maps as of `print_map`, less what all faces have in common."""
    return float(_found_on(one, other, slip_px).max())


def emblem_parts_alike(one: F32, other: F32, slip_px: int = SLIP_PX) -> float:
    """How alike (-1 to 1) two emblems as of `emblem_likeness` are where they are least: the least correlation of any
    part on which both have print; -1 where there is none."""
    found = _found_on(one, other, slip_px)
    down, right = (int(at) for at in np.unravel_index(int(found.argmax()), found.shape))
    inner = one[slip_px:-slip_px, slip_px:-slip_px]
    height, width = inner.shape
    laid = other[down : down + height, right : right + width]
    alike = []
    for top in range(PART_SLIP_PX, height - PART_PX - PART_SLIP_PX + 1, PART_STEP_PX):
        for left in range(PART_SLIP_PX, width - PART_PX - PART_SLIP_PX + 1, PART_STEP_PX):
            part = inner[top : top + PART_PX, left : left + PART_PX]
            there = laid[top : top + PART_PX, left : left + PART_PX]
            if min(float(np.sqrt((seen**2).mean())) for seen in (part, there)) >= PART_PRINT:
                around = laid[top - PART_SLIP_PX : top + PART_PX + PART_SLIP_PX,
                              left - PART_SLIP_PX : left + PART_PX + PART_SLIP_PX]
                alike.append(float(cv2.matchTemplate(around, part, cv2.TM_CCOEFF_NORMED).max()))
    return min(alike, default=-1.0)


def _found_on(one: F32, other: F32, slip_px: int) -> F32:
    """(2 * slip_px + 1, 2 * slip_px + 1) correlation of the inner part of `one` with every place of it on `other`."""
    inner = one[slip_px:-slip_px, slip_px:-slip_px]
    return np.asarray(cv2.matchTemplate(other, inner, cv2.TM_CCOEFF_NORMED), np.float32)


def print_map(view: PrintView, without: tuple[Box, ...]) -> F32:
    """(SIDE / 2, SIDE / 2) how far the print stands out but for the boxes `without`, soft enough to bear a cut that is
    a pixel off: what is left is the emblem, and what every face has."""
    shown = np.minimum(view.apart, 40.0)
    shown[view.apart < 10.0] = 0.0
    for left, top, right, bottom in without:
        shown[top:bottom, left:right] = 0.0
    small = cv2.resize(shown, (SIDE // 2, SIDE // 2), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), 1.0), dtype=np.float32)
