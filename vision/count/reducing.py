"""The part of a picture that is looked at, and how large: pieces are counted in small copies of large photographs."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Region = tuple[int, int, int, int]
"""x, y, width, height in px of the picture."""

LEAST_STEP = 1.4  # by which a large picture is reduced at last, after whole steps
REGION_MARGIN = 0.05  # of a region's breadth that is looked at around it: a piece may lie on its line


def window(picture: Picture, region: Region | None) -> tuple[slice, slice]:
    """Columns and rows that are looked at."""
    height, width = picture.shape[:2]
    if region is None:
        return slice(0, width), slice(0, height)
    x, y, w, h = region
    if w < 1 or h < 1 or x < 0 or y < 0 or x + w > width or y + h > height:
        raise ValueError(f"region {x},{y},{w},{h}: expected x,y,width,height inside {width} x {height} px")
    more = round(REGION_MARGIN * max(w, h))
    return slice(max(0, x - more), x + w + more), slice(max(0, y - more), y + h + more)


def smaller(picture: Picture, share: float) -> Picture:
    return cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA) if share < 1 else picture


def reduced(picture: Picture, share: float) -> Picture:
    """A picture `share` times as large. One of many megapixels is reduced by a whole step first, which takes a third of
    the time that a broken one does. What is left to do is no small step: one just below 1 would soften some places and
    not others. Of the right and lower border less than the first step is left out.
    """
    height, width = picture.shape[:2]
    if share > 1:
        return np.asarray(cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_CUBIC))
    step = int(1 / (share * LEAST_STEP))
    if step < 2 or min(height, width) < step:
        return smaller(picture, share)
    whole = (width // step, height // step)
    even = picture[: whole[1] * step, : whole[0] * step]
    size = (max(1, round(width * share)), max(1, round(height * share)))
    coarse = cv2.resize(even, whole, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(coarse, size, interpolation=cv2.INTER_AREA))
