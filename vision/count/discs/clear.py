"""Which broken rims are none: beside clear ones, an edge between colours so unlike would be seen all around a piece."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.count.discs.search import LEAST_CLEAR, MOST_WAVY, ROUND_SUPPORT, FoundDiscs

# Of the part of a rim that no clear piece hides: so much of it is sharp at least. Of 2,700 rims of candies on
# photographed tables 4 % have less, of 3,500 rings in grain, weave and print beside them 69 %.
LEAST_FREE = 0.62
# Of a rim that no clear piece hides: where less is seen, what is seen of it may as well be the arc between two others.
MOSTLY_SEEN = 0.6
HIDES = 1.1  # of a clear piece's radius: where pieces touch, no edge is seen between them
LEAST_SEEN = 0.3  # of a rim: less says nothing, and what is half hidden is looked at as if so much were seen
# Between what a rim encloses and what lies around it: of such rims that enclose more than table 112 of 328 rings
# differ by more, the pips of cards first of all, and 22 pieces, which are found without a rim as well. A dark piece on
# dark wood differs by less, and its rim may be broken anywhere.
UNLIKE_LAB = 40.0
WITHIN, AROUND = 0.7, (1.15, 1.4)  # of an outline's size


def broken_rims(found: FoundDiscs, lab: NDArray[np.float32]) -> NDArray[np.bool_]:
    """(N,) which round outlines of a picture (H, W, 3) Lab are broken though no clear piece hides them, and what they
    enclose is unlike what lies around it; none where few rims are clear.
    """
    clear = np.asarray((found.support >= ROUND_SUPPORT) & (found.wavy <= MOST_WAVY))
    broken = ~clear & (free_support(found, clear) < LEAST_FREE)
    if clear.sum() < LEAST_CLEAR:
        return np.zeros(len(found), bool)
    return np.array([b and _unlike(lab, o) > UNLIKE_LAB for b, o in zip(broken, found.outlines, strict=True)], bool)


def seen_support(found: FoundDiscs) -> NDArray[np.float64]:
    """(N,) the part of each rim that is a sharp edge, of what no clear piece hides of it, where most of it is seen."""
    clear = np.asarray((found.support >= ROUND_SUPPORT) & (found.wavy <= MOST_WAVY))
    free = free_support(found, clear)
    return np.asarray(np.where(found.support >= MOSTLY_SEEN * free, free, found.support))


def free_support(found: FoundDiscs, clear: NDArray[np.bool_]) -> NDArray[np.float64]:
    """(N,) the part of each rim that is a sharp edge, of what the clear ones (N,) do not hide of it."""
    free = np.ones(len(found))
    gaps = np.linalg.norm(found.xy[:, None] - found.xy[None], axis=2)
    near = (gaps < HIDES * found.radius[None] + found.radius[:, None]) & clear[None]
    np.fill_diagonal(near, False)
    for k in np.flatnonzero(~clear & near.any(axis=1)):
        away = np.linalg.norm(found.outlines[k][:, None] - found.xy[near[k]][None], axis=2)
        free[k] = 1 - (away < HIDES * found.radius[near[k]]).any(axis=1).mean()
    return np.asarray(np.minimum(1.0, found.support / np.maximum(free, LEAST_SEEN)))


def _unlike(lab: NDArray[np.float32], outline: NDArray[np.float64]) -> float:
    """How far the usual colour within an outline (N, 2) px of a picture (H, W, 3) Lab is from that around it."""
    middle = outline.mean(axis=0)
    low = np.maximum((middle + AROUND[1] * (outline - middle)).min(axis=0).astype(int), 0)
    high = np.ceil((middle + AROUND[1] * (outline - middle)).max(axis=0)).astype(int) + 1
    own = lab[low[1] : high[1], low[0] : high[0]]
    zone = np.zeros(own.shape[:2], np.uint8)
    for share, value in ((AROUND[1], 2), (AROUND[0], 0), (WITHIN, 1)):
        cv2.fillPoly(zone, [np.round(middle + share * (outline - middle) - low).astype(np.int32)], value)
    if not (zone == 1).any() or not (zone == 2).any():
        return 0.0
    return float(np.linalg.norm(np.median(own[zone == 1], axis=0) - np.median(own[zone == 2], axis=0)))
