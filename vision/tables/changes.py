"""Where a picture of the table differs from an earlier one of the same view, beyond noise and a change of exposure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.appearance.placed_face import PX_PER_MM
from vision.median import byte_median, median

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

# An arm is wider: the mean of so many px a side (a finger's width) shows it where noise hides pieces.
WIDE_PX = 27

FINE_PX = 3

# One strip of some rows in so many tells the noise, and of its pixels every so many-th the exposure; fewer usable ones
# tell nothing.
THIN, THIN_STRIP_PX, EXPOSED, LEAST_USABLE = 4, 8, 3, 32

# Rows that are compared at a time: with a map's 1200 px they and what is made of them fit into a processor's cache.
STRIP_PX = 64

# The median of a normal variable's size, in deviations.
MEDIAN_OF_NORMAL = 0.6745

# A quarter of a normal variable's values is smaller than this, in deviations.
QUARTER_OF_NORMAL = 0.3186

AROUND = np.ones((3, 3), np.uint8)

# Grey levels outside of which a pixel says nothing about the exposure.
DARK, CUT_OFF = 12, 243


@dataclass(frozen=True, slots=True, eq=False)
class Changes:
    """`changed` (H, W) uint8, 1 where the pictures differ; `gain`: brightness of the new one against the old;
    `before_bgr` (H, W, 3) uint8: the old one."""

    changed: np.ndarray
    gain: float
    before_bgr: np.ndarray

    @property
    def same_light(self) -> bool:
        """Whether what was learnt of the light still holds."""
        return abs(self.gain - 1.0) <= EXPOSURE

    @property
    def is_comparable(self) -> bool:
        """Whether the pictures can be compared: else all of it counts as changed."""
        return self.gain > 0.0

    def within(self, box: tuple[slice, slice]) -> bool:
        """Whether anything has changed in a part of the picture."""
        return is_change(cv2.countNonZero(self.changed[box]))

    def within_each(self, bounds: np.ndarray) -> np.ndarray:
        """(N,) bool: as `within`, of many parts: (N, 4) int, see `Window.bounds`."""
        summed = cv2.integral(self.changed)
        (h, w), (x0, y0, x1, y1) = self.changed.shape, bounds.T
        x1, y1 = np.maximum(x1, 0), np.maximum(y1, 0)  # of what lies wholly beside the picture nothing is counted
        x0, y0 = np.minimum(np.minimum(x0, x1), w), np.minimum(np.minimum(y0, y1), h)
        count = summed[y1, x1] - summed[y0, x1] - summed[y1, x0] + summed[y0, x0]
        return np.asarray(count > CHANGED_MM2 * PX_PER_MM**2)

    def outside(self, boxes: Iterable[tuple[slice, slice]]) -> Changes:
        """The changes in none of the parts of the picture."""
        changed = self.changed.copy()
        for box in boxes:
            changed[box] = 0
        return replace(self, changed=changed)


    def outside_areas(self, areas_px: Sequence[np.ndarray], grow_mm: float) -> Changes:
        """The changes in none of the convex areas (N, 2) px, grown so much on all sides."""
        changed, wide = self.changed.copy(), max(1, round(2 * grow_mm * PX_PER_MM))
        for area in areas_px:
            corners = np.round(area).astype(np.int32)
            cv2.fillConvexPoly(changed, corners, 0)
            cv2.polylines(changed, [corners], True, 0, wide)
        return replace(self, changed=changed)


def is_change(pixels: int) -> bool:
    """Whether so many changed pixels of a part of a picture count."""
    return pixels > CHANGED_MM2 * PX_PER_MM**2


def find_changes(before_bgr: np.ndarray, now_bgr: np.ndarray) -> Changes:
    """What has changed between two pictures (H, W, 3) uint8 BGR of one view."""
    old, new = (_thinned(picture, FINE_PX) for picture in (before_bgr, now_bgr))
    gains = _gains(old, new)
    if gains is None:
        return _incomparable(before_bgr)
    allowed = _allowed(old, new, gains)
    beyond = _beyond(before_bgr, now_bgr, FINE_PX, gains, allowed)
    if allowed > HIDING_GREY:
        allowed = _allowed(_thinned(before_bgr, COARSE_PX), _thinned(now_bgr, COARSE_PX), gains)
        if allowed > HIDING_GREY:
            return _incomparable(before_bgr)
        beyond |= _beyond(before_bgr, now_bgr, COARSE_PX, gains, allowed)
    changed = cv2.morphologyEx(beyond, cv2.MORPH_OPEN, AROUND)
    return Changes(changed, float(np.mean(gains)), before_bgr)


def find_wide_changes(before_bgr: np.ndarray, now_bgr: np.ndarray) -> np.ndarray | None:
    """(H, W) uint8, 1 where two pictures that are not comparable differ by something as wide as a finger, or by light;
    None where it is not a camera's noise that hides smaller things, or nothing tells the exposure."""
    old, new = (_thinned(picture, FINE_PX) for picture in (before_bgr, now_bgr))
    gains = _gains(old, new)
    if gains is None:
        return None
    wide_old, wide_new = (_thinned(picture, WIDE_PX) for picture in (before_bgr, now_bgr))
    noise_old, noise_new = cv2.subtract(old, wide_old, dtype=cv2.CV_16S), cv2.subtract(new, wide_new, dtype=cv2.CV_16S)
    noise = cv2.convertScaleAbs(cv2.subtract(noise_new, noise_old))
    if NOISES * byte_median(noise) / MEDIAN_OF_NORMAL <= HIDING_GREY:
        return None
    beyond = _beyond(before_bgr, now_bgr, WIDE_PX, gains, _allowed(wide_old, wide_new, gains))
    return np.asarray(cv2.morphologyEx(beyond, cv2.MORPH_OPEN, AROUND))


def is_noisy_all_over(before_bgr: np.ndarray, now_bgr: np.ndarray) -> bool:
    """Whether a camera's noise hides small changes between two pictures: told by the quarter that has changed least,
    for neither an arm nor a shadow lies all over them."""
    fine = [
        cv2.subtract(_thinned(one, FINE_PX), _thinned(one, WIDE_PX), dtype=cv2.CV_16S) for one in (before_bgr, now_bgr)
    ]
    off = cv2.convertScaleAbs(cv2.subtract(fine[1], fine[0]))
    return bool(NOISES * np.quantile(off, 0.25) / QUARTER_OF_NORMAL > HIDING_GREY)


def _incomparable(before_bgr: np.ndarray) -> Changes:
    return Changes(np.ones(before_bgr.shape[:2], np.uint8), 0.0, before_bgr)


def _gains(old: np.ndarray, new: np.ndarray) -> np.ndarray | None:
    """(3,): how much brighter each channel of the `new` one is of two pictures that were `_thinned`; None where too
    little tells."""
    a, b = (np.ascontiguousarray(thin[::EXPOSED, ::EXPOSED]) for thin in (old, new))
    told = (cv2.inRange(one, (DARK + 1,) * 3, (CUT_OFF - 1,) * 3) for one in (a, b))
    usable = np.flatnonzero(cv2.bitwise_and(*told))
    if len(usable) < LEAST_USABLE:
        return None
    a, b = (np.take(one.reshape(-1, 3), usable, axis=0).astype(np.float32) for one in (a, b))
    return np.array([median(ratio) for ratio in (b / a).T])


def _strips(height: int, strip: int, every: int, reach: int) -> Iterator[tuple[slice, slice]]:
    """Strips of so many rows, one in `every` as many rows, and the same with so many rows more on both sides."""
    for top in range(0, height, every):
        bottom = min(height, top + strip)
        yield slice(top, bottom), slice(max(0, top - reach), min(height, bottom + reach))


def _thinned(picture: np.ndarray, mean_px: int) -> np.ndarray:
    """Some of the picture's means over so many px a side, (h, w, 3), from all over it."""
    out = []
    for rows, wider in _strips(len(picture), THIN_STRIP_PX, THIN * THIN_STRIP_PX, mean_px // 2):
        soft = cv2.blur(picture[wider], (mean_px, mean_px))
        out.append(soft[rows.start - wider.start : rows.stop - wider.start : 2, :: THIN // 2])
    return np.concatenate(out)


def _in_light(picture: np.ndarray, gains: np.ndarray) -> np.ndarray:
    """A picture (H, W, 3) uint8 with its channels so much brighter."""
    # a fifth of the time of `cv2.multiply` by three numbers; one byte in a thousand is rounded the other way
    return picture if (gains == 1.0).all() else np.asarray(cv2.transform(picture, np.diag(gains)))


def _allowed(old: np.ndarray, new: np.ndarray, gains: np.ndarray) -> float:
    """Grey levels by which pixels of two pictures that were `_thinned` may differ as noise."""
    off = cv2.absdiff(new, _in_light(old, gains))
    return max(LEAST_GREY, NOISES * byte_median(off) / MEDIAN_OF_NORMAL)


def _beyond(
    before_bgr: np.ndarray, now_bgr: np.ndarray, mean_px: int, gains: np.ndarray, allowed: float
) -> np.ndarray:
    """(H, W) uint8, 1 where the means of two pictures over so many px a side differ beyond noise.

    Strip by strip, which stays in a processor's cache: as whole pictures it takes three times as long.
    """
    out = np.zeros(before_bgr.shape[:2], np.uint8)
    for rows, wider in _strips(len(out), STRIP_PX, STRIP_PX, mean_px // 2 + 1):
        old, new = (cv2.blur(picture[wider], (mean_px, mean_px)) for picture in (before_bgr, now_bgr))
        expected = _in_light(old, gains)
        off = cv2.absdiff(new, expected)
        over = cv2.threshold(off, allowed, 1, cv2.THRESH_BINARY)[1].reshape(len(off), -1)
        left, top, wide, high = cv2.boundingRect(over)
        if wide:  # contrast is asked where it may matter, and a pixel around
            here = (slice(max(0, top - 1), top + high + 1), slice(max(0, left // 3 - 1), (left + wide - 1) // 3 + 2))
            off, expected = off[here], expected[here]
            contrast = cv2.subtract(cv2.dilate(expected, AROUND), cv2.erode(expected, AROUND))
            off = cv2.subtract(off, cv2.addWeighted(contrast, MISPLACED_PX, contrast, 0.0, allowed))
            blue, green, red = cv2.split(off)
            differs = np.zeros(new.shape[:2], np.uint8)
            differs[here] = cv2.threshold(cv2.max(cv2.max(blue, green), red), 0, 1, cv2.THRESH_BINARY)[1]
            out[rows] = differs[rows.start - wider.start : rows.stop - wider.start]
    return out
