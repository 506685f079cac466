"""Marks on pieces of one colour: a maker's sign, a scratch, a spot of gloss. The piece keeps its colour under them."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]

SIDE_PX = 64  # marks are looked for in a crop of so many px
AROUND = 0.5  # side of the surroundings, as a share of the crop's, of which most must be of the piece's colour
OFF_COLOUR = 0.1  # 0..1, in one channel: print, or gloss that hides the colour
MOST = 0.45  # where more than this is off its colour, nothing tells which colour is the piece's


def marked(crop_bgr: U8) -> NDArray[np.bool_]:
    """(h, w) where a crop (h, w, 3) uint8 BGR of a piece of one colour has another; nowhere when that is much of it."""
    h, w = crop_bgr.shape[:2]
    shrink = min(1.0, SIDE_PX / (h * w) ** 0.5)
    size = max(3, round(w * shrink)), max(3, round(h * shrink))
    small = cv2.resize(crop_bgr, size, interpolation=cv2.INTER_AREA)
    around = round(AROUND * (size[0] * size[1]) ** 0.5) | 1
    colour = cv2.medianBlur(small, around)
    off = cv2.absdiff(small, colour).max(axis=2) > round(255 * OFF_COLOUR)
    if off.mean() > MOST:
        return np.zeros((h, w), np.bool_)
    wide = cv2.dilate(off.astype(np.uint8), np.ones((3, 3), np.uint8))
    return np.asarray(cv2.resize(wide, (w, h), interpolation=cv2.INTER_NEAREST) > 0)
