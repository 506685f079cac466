"""Where a picture of the table differs from an earlier one of the same view, beyond noise and a change of exposure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import cv2
import numpy as np

from vision.appearance.placed_face import PX_PER_MM

# A pixel has changed when it differs by more than so many times the noise, and by more than so many grey levels.
NOISES, LEAST_GREY = 5.0, 7.0

# How exactly two pictures of one view lie on each other: times the contrast around a pixel, that is no change.
MISPLACED_PX = 0.6

# Area from which changed pixels of a place count: a cube that was nudged by 1 mm leaves a strip of 10 mm2.
CHANGED_MM2 = 9.0

# A change so far outside a place may belong to it: a tile that strays, the lean of a piece.
NEAR_MM = 6.0

# Change of brightness up to which what was learnt of the light still holds.
EXPOSURE = 0.04

# Beyond so many grey levels of noise a dark piece on a dark tile goes unseen: then the pictures are compared once more
# as the mean of so many px a side (6 mm), in which a camera's noise is a third; where that does not do, as under a
# shadow that has moved over the table, they cannot be compared.
HIDING_GREY, COARSE_PX = 16.0, 9

FINE_PX = 3
AROUND = np.ones((3, 3), np.uint8)

# Grey levels outside of which a pixel says nothing about the exposure.
DARK, CUT_OFF = 12, 243


@dataclass(frozen=True, slots=True, eq=False)
class Changes:
    """`changed` (H, W) uint8, 1 where the pictures differ; `gain`: brightness of the new one against the old."""

    changed: np.ndarray
    gain: float

    @property
    def same_light(self) -> bool:
        """Whether what was learnt of the light still holds."""
        return abs(self.gain - 1.0) <= EXPOSURE

    def within(self, box: tuple[slice, slice]) -> bool:
        """Whether anything has changed in a part of the picture."""
        return cv2.countNonZero(self.changed[box]) > CHANGED_MM2 * PX_PER_MM**2

    def outside(self, boxes: Iterable[tuple[slice, slice]]) -> Changes:
        """The changes in none of the parts of the picture."""
        changed = self.changed.copy()
        for box in boxes:
            changed[box] = 0
        return Changes(changed, self.gain)


def find_changes(before_bgr: np.ndarray, now_bgr: np.ndarray) -> Changes:
    """What has changed between two pictures (H, W, 3) uint8 BGR of one view."""
    old, new = (cv2.blur(picture, (FINE_PX, FINE_PX)) for picture in (before_bgr, now_bgr))
    a, b = (picture[::4, ::4].reshape(-1, 3).astype(np.float32) for picture in (old, new))
    usable = ((a > DARK) & (a < CUT_OFF) & (b > DARK) & (b < CUT_OFF)).all(1)
    if usable.sum() < 64:
        return Changes(np.ones(old.shape[:2], np.uint8), 0.0)
    gains = np.median(b[usable] / a[usable], axis=0)
    beyond, allowed = _beyond(old, new, gains)
    if allowed > HIDING_GREY:
        old, new = (cv2.blur(picture, (COARSE_PX, COARSE_PX)) for picture in (before_bgr, now_bgr))
        beyond_coarse, allowed = _beyond(old, new, gains)
        if allowed > HIDING_GREY:
            return Changes(np.ones(old.shape[:2], np.uint8), 0.0)
        beyond |= beyond_coarse
    return Changes(cv2.morphologyEx(beyond, cv2.MORPH_OPEN, AROUND), float(np.mean(gains)))


def _beyond(old: np.ndarray, new: np.ndarray, gains: np.ndarray) -> tuple[np.ndarray, float]:
    """(H, W) uint8, 1 where two pictures differ beyond noise, and the grey levels that noise is allowed."""
    expected = cv2.multiply(old, (*gains.tolist(), 0.0))
    off = cv2.absdiff(new, expected)
    noise = float(np.median(off[::4, ::4])) / 0.6745  # the median of a normal variable's size is 0.67 of its deviation
    allowed = max(LEAST_GREY, NOISES * noise)
    contrast = cv2.subtract(cv2.dilate(expected, AROUND), cv2.erode(expected, AROUND))
    blue, green, red = cv2.split(cv2.subtract(off, cv2.addWeighted(contrast, MISPLACED_PX, contrast, 0.0, allowed)))
    return cv2.threshold(cv2.max(cv2.max(blue, green), red), 0, 1, cv2.THRESH_BINARY)[1], allowed
