"""Searches a picture for round pieces of any size, seen from above or aslant: first how large they are, then each."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.count.discs.edges import find_edges
from vision.count.discs.rims import ANGLES, Discs, find_discs, join_discs, without_overlaps

Floats = NDArray[np.float64]
Lab = NDArray[np.float32]

LONG_SIDES_PX = tuple(round(1350 / 1.5**k) for k in range(8))  # pieces from a 150th to a quarter of the picture
COARSE_RADII_PX = (8.5, 14.5)  # searched in each of them: a step of 1.5 and some overlap
BEST_RADIUS_PX = 28.0  # of the usual piece in the last search: a rim is then 140 px long, and print inside is small
LEAST_SUPPORT_COARSE = 0.62
HALF_HIDDEN = 0.4  # of a rim that may lie under other pieces
LEAST_SUPPORT = 0.5  # of a rim must be a sharp edge: a square piece gives 0.4 to 0.6
ROUND_SUPPORT = 0.75  # median support of a picture's or a reference's rims from which its pieces are round
SIZE_SPAN = 1.9  # largest to smallest radius in one picture: euro coins 1.6, and perspective
MARGIN = 1.25  # by which the last search looks beyond the sizes that were found
SQUEEZE = 0.72  # height to breadth of discs that a camera sees from 44 degrees aslant
FROM_ABOVE = 0.85  # median support from which a picture is taken from above: rims of ovals are left by round ones
SQUEEZE_GAIN = 1.25  # so much more rim must be found before a picture is thought to be taken aslant


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Round pieces in a picture, in its px: `outlines` (N, ANGLES, 2), `support` (N,), `radius` (N,) the root of the
    half axes' product, `xy` (N, 2).
    """

    outlines: Floats
    support: Floats
    radius: Floats
    xy: Floats

    def __len__(self) -> int:
        return len(self.radius)

    def take(self, index: NDArray[np.bool_]) -> Found:
        """Some of them."""
        return Found(self.outlines[index], self.support[index], self.radius[index], self.xy[index])


def search_discs(lab: Lab) -> Found:
    """The round pieces of a picture (H, W, 3) float32 Lab."""
    seen = _usual_discs(lab)
    squeeze = 1.0
    if not len(seen) or np.median(seen.support) < FROM_ABOVE:
        aslant = _usual_discs(_stretched(lab, SQUEEZE))
        if _rim(aslant) > SQUEEZE_GAIN * _rim(seen):
            seen, squeeze = aslant, SQUEEZE
    best = seen.radius
    if not len(best):
        return Found(np.zeros((0, ANGLES, 2)), np.zeros(0), np.zeros(0), np.zeros((0, 2)))
    upright = _stretched(lab, squeeze)
    share = min(1.0, BEST_RADIUS_PX / float(np.median(best)))
    work = _resized(upright, share)
    span = (best.min() * share / MARGIN, best.max() * share * MARGIN)
    discs = find_discs(find_edges(work), (max(6.0, span[0]), span[1]), HALF_HIDDEN)
    discs = _of_one_size(without_overlaps(discs, LEAST_SUPPORT, work.shape[1::-1]).scaled(1 / share))
    back = np.array([1.0, squeeze])
    outlines = np.array([discs.outline(k) for k in range(len(discs))]).reshape(len(discs), ANGLES, 2) * back
    return Found(outlines, discs.support, discs.radius * np.sqrt(squeeze), discs.xy * back)


def _stretched(lab: Lab, squeeze: float) -> Lab:
    """The picture pulled upright, so that discs that look `squeeze` as high as broad are round."""
    if squeeze == 1.0:
        return lab
    height, width = lab.shape[:2]
    return np.asarray(cv2.resize(lab, (width, round(height / squeeze)), interpolation=cv2.INTER_LINEAR))


def _resized(lab: Lab, share: float) -> Lab:
    height, width = lab.shape[:2]
    size = (max(24, round(width * share)), max(24, round(height * share)))
    return cv2.resize(lab, size, interpolation=cv2.INTER_AREA) if share < 1 else lab


def _rim(discs: Discs) -> float:
    """How much rim of discs is seen together, in px of the picture."""
    return float((discs.support * discs.radius).sum())


def _usual_discs(lab: Lab) -> Discs:
    """The pieces of the sizes that show most rim together, roughly, in px of the picture."""
    longest = max(lab.shape[:2])
    parts = []
    for side in LONG_SIDES_PX:
        share = side / longest
        if share <= 1.0:
            found = find_discs(find_edges(_resized(lab, share)), COARSE_RADII_PX, LEAST_SUPPORT_COARSE)
            parts.append(found.scaled(1 / share))
    return _of_one_size(without_overlaps(join_discs(parts), LEAST_SUPPORT_COARSE, lab.shape[1::-1]))


def _of_one_size(discs: Discs) -> Discs:
    """Those within the range of sizes that shows most rim together."""
    if not len(discs.radius):
        return discs
    rim = discs.support * discs.radius
    fits = [(discs.radius >= low * 0.999) & (discs.radius <= low * SIZE_SPAN) for low in discs.radius]
    return discs.take(max(fits, key=lambda fit: float(rim[fit].sum())))
