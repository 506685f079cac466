"""Marks on pieces of one colour: a maker's sign, a scratch, a spot of gloss. The piece keeps its colour under them."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]

SIDE_PX = 64  # marks are looked for in a crop of so many px
AROUND = 0.5  # side of the surroundings, as a share of the crop's, of which most must be of the piece's colour
OFF_COLOUR = 0.1  # 0..1, in one channel: print, or gloss that hides the colour
# A sign that covers half of the piece is the commoner colour in its middle: then the crop's rim tells the piece's. Its
# breadth, of the crop's side; how much of it has one colour; how much of the surroundings' colours are another.
RIM, OF_ONE_COLOUR, DOUBTFUL = 0.1, 0.8, 0.1
MOST_WITHIN = 0.6  # of a crop that may be marked then; within a black frame more of it is off the frame's colour
MOST = 0.45  # where more than this is off its colour, nothing tells which colour is the piece's


def marked(crop_bgr: U8) -> NDArray[np.bool_]:
    """(h, w) where a crop (h, w, 3) uint8 BGR of a piece of one colour has another; nowhere when that is much of it."""
    h, w = crop_bgr.shape[:2]
    shrink = min(1.0, SIDE_PX / (h * w) ** 0.5)
    size = max(3, round(w * shrink)), max(3, round(h * shrink))
    small = cv2.resize(crop_bgr, size, interpolation=cv2.INTER_AREA)
    around = round(AROUND * (size[0] * size[1]) ** 0.5) | 1
    colour = cv2.medianBlur(small, around)
    off = _off_rim(small, colour)
    if off is None:
        off = _differ(small, colour)
        if off.mean() > MOST:
            return np.zeros((h, w), np.bool_)
    wide = cv2.dilate(off.astype(np.uint8), np.ones((3, 3), np.uint8))
    return np.asarray(cv2.resize(wide, (w, h), interpolation=cv2.INTER_NEAREST) > 0)


def _off_rim(small: U8, usual: U8) -> NDArray[np.bool_] | None:
    """(h, w) where a crop has another colour than its rim; None where that has several, most of the crop another, or
    the `usual` colour around each place is the rim's.
    """
    h, w = small.shape[:2]
    rim = np.ones((h, w), np.bool_)
    band = max(1, round(RIM * min(h, w)))
    rim[band:-band, band:-band] = False
    colour = np.broadcast_to(np.median(small[rim], axis=0).astype(np.uint8), small.shape)
    off = _differ(small, colour)
    plain = off[rim].mean() <= 1 - OF_ONE_COLOUR and off.mean() <= MOST_WITHIN
    return off if plain and _differ(usual, colour).mean() > DOUBTFUL else None


def _differ(some: U8, other: U8) -> NDArray[np.bool_]:
    """(h, w) where two pictures are of another colour."""
    return np.asarray(cv2.absdiff(some, np.ascontiguousarray(other)).max(axis=2) > round(255 * OFF_COLOUR))
