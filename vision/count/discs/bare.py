"""Which round outlines enclose nothing but table: rings in its own grain, print or weave."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.count.discs.search import ROUND_SUPPORT, FoundDiscs
from vision.count.table.ground import LEVEL, Ground

WITHIN = 0.9  # of an outline's size: without the line that was taken for a rim
# Of what an outline encloses that may differ from the table all the same: its own specks. Of pieces in about the
# table's colour 0.6 and more did, of rings in its print nothing.
SPECKS = 0.05
# Of an outline's size: there a table's grain is seen, in Lab; and so much of it at most is within a piece. Of 120 such
# outlines on photographed tables 51 of 63 around pieces enclosed less than 0.3 of the grain around them, and one of 57
# around nothing. Less grain than noise and JPEG blocks are says nothing.
AROUND, CALM, GRAINED_LAB = (1.2, 1.7), 0.3, 5.0
USUAL = (25, 75)  # percentiles: letters on a candy cover less than a quarter of it


def is_bare_table(found: FoundDiscs, ground: Ground) -> NDArray[np.bool_]:
    """(N,) which outlines, in px of the ground (H, W), enclose nothing but table. What has a whole piece's rim is none
    of them: it may be a piece of just the table's colour. Nor is what is calm on a grained table, of whose many colours
    one may be the piece's.
    """
    bare = np.zeros(len(found), bool)
    for k in np.flatnonzero(found.support < ROUND_SUPPORT):
        zones = _zones(found.outlines[k], (AROUND[1], AROUND[0], WITHIN), ground.difference.shape)
        differs = ground.difference[zones == 3] > LEVEL
        bare[k] = len(differs) > 0 and differs.mean() < SPECKS
        if bare[k]:
            grain = _spread(ground.seen[(zones == 1) & (ground.difference < LEVEL)])
            bare[k] = grain < GRAINED_LAB or _spread(ground.seen[zones == 3]) > CALM * grain
    return bare


def _zones(outline: NDArray[np.float64], shares: Sequence[float], shape: tuple[int, ...]) -> NDArray[np.uint8]:
    """(H, W) 1, 2, 3, … within so many times the size of an outline (N, 2) px, the largest first; 0 elsewhere."""
    middle = outline.mean(axis=0)
    zones = np.zeros(shape, np.uint8)
    for value, share in enumerate(shares, start=1):
        cv2.fillPoly(zones, [np.round(middle + share * (outline - middle)).astype(np.int32)], value)
    return zones


def _spread(lab: NDArray[np.float32]) -> float:
    """How far the usual of some Lab colours (N, 3) are from their middle one."""
    if not len(lab):
        return 0.0
    low, high = np.percentile(lab, USUAL, axis=0)
    return float(np.linalg.norm(high - low) / 2)


def unexplained(broken: FoundDiscs, pieces: Sequence[NDArray[np.float64]], ground: Ground, width: int) -> int:
    """How many broken rims in a picture `width` px broad enclose something that is neither table nor one of the pieces,
    outlines (N, 2).
    """
    bare = is_bare_table(broken.scaled(ground.difference.shape[1] / width), ground)
    middles = np.array([outline.mean(axis=0) for outline in pieces]).reshape(-1, 2)
    gaps = np.linalg.norm(broken.xy[:, None] - middles[None], axis=2).min(axis=1, initial=np.inf)
    return int((~bare & (gaps > broken.radius)).sum())
