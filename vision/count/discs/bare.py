"""Which round outlines enclose nothing but table: rings in its own grain, print or weave."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.count.discs.search import ROUND_SUPPORT, FoundDiscs
from vision.count.pixels import window_around
from vision.count.table.ground import GRAIN, LEVEL, Ground

WITHIN = 0.9  # of an outline's size: without the line that was taken for a rim
# Of what an outline encloses that may differ from the table all the same: its own specks. Of pieces in about the
# table's colour 0.6 and more did, of rings in its print nothing.
SPECKS = 0.05
# Of an outline's size: there a table's grain is seen, in Lab; and so much of it at most is within a piece. Of 120 such
# outlines on photographed tables 51 of 63 around pieces enclosed less than 0.3 of the grain around them, and one of 57
# around nothing. Less grain than noise and JPEG blocks are says nothing.
AROUND, CALM, GRAINED_LAB = (1.2, 1.7), 0.3, 5.0
# Lab by which what an outline encloses is off what lies around it, on all its sides alike: twice the noise that a
# ground has at least. Two white chips on pale stone were off by 8 and more on each side; a pip on a card is off by far
# more, but has a colour of the table's own.
STEP_LAB, SIDES = 4.0, 8
USUAL = (25, 75)  # percentiles: letters on a candy cover less than a quarter of it


def is_bare_table(found: FoundDiscs, ground: Ground) -> NDArray[np.bool_]:
    """(N,) which outlines, in px of the ground (H, W), enclose nothing but table. What has a whole piece's rim is none
    of them: it may be a piece of just the table's colour. Nor is what is calm on a grained table, of whose many colours
    one may be the piece's, or what is on all sides off the table around it and no grain of the table.
    """
    bare = np.zeros(len(found), bool)
    for k in np.flatnonzero(found.support < ROUND_SUPPORT):
        at, zones = _zones(found.outlines[k], (AROUND[1], AROUND[0], WITHIN), ground.difference.shape)
        difference, seen = ground.difference[at], ground.seen[at]
        within = difference[zones == 3]
        bare[k] = len(within) > 0 and (within > LEVEL).mean() < SPECKS
        if bare[k]:
            zones[(zones == 1) & (difference >= LEVEL)] = 0
            grain = _spread(seen[zones == 1])
            calm = grain >= GRAINED_LAB and _spread(seen[zones == 3]) <= CALM * grain
            other = np.median(within) > GRAIN and _least_step(seen, zones) >= STEP_LAB
            bare[k] = not calm and not other
    return bare


def _zones(
    outline: NDArray[np.float64], shares: Sequence[float], shape: tuple[int, ...]
) -> tuple[tuple[slice, slice], NDArray[np.uint8]]:
    """The part of a picture (H, W) around an outline (N, 2) px, and in it 1, 2, 3, … within so many times its size, the
    largest first; 0 elsewhere.
    """
    middle = outline.mean(axis=0)
    grown = [np.round(middle + share * (outline - middle)) for share in shares]
    at, low = window_around(grown[0], 0, shape)
    zones = np.zeros(tuple(part.stop - part.start for part in at), np.uint8)
    for value, points in enumerate(grown, start=1):
        cv2.fillPoly(zones, [(points - low).astype(np.int32)], value)
    return at, zones


def _least_step(lab: NDArray[np.float32], zones: NDArray[np.uint8]) -> float:
    """By how much what lies in zone 3 of a picture (H, W, 3) Lab is off what lies in zone 1, in the direction in which
    all of it is, on the side where that is least; 0.0 where on some side one of them is not seen, or all together
    differ by less than a step.
    """
    rows, cols = np.nonzero((zones == 1) | (zones == 3))
    seen, inside = lab[rows, cols], zones[rows, cols] == 3
    if inside.all() or not inside.any():
        return 0.0
    off = np.median(seen[inside], axis=0) - np.median(seen[~inside], axis=0)
    if np.linalg.norm(off) < STEP_LAB:
        return 0.0
    along = seen @ (off / np.linalg.norm(off))
    middle = rows[inside].mean(), cols[inside].mean()
    turn = np.arctan2(rows - middle[0], cols - middle[1]) / (2 * np.pi)
    side = np.floor(SIDES * turn).astype(int) % SIDES
    steps = []
    for k in range(SIDES):
        within, around = along[(side == k) & inside], along[(side == k) & ~inside]
        if not len(within) or not len(around):
            return 0.0
        steps.append(float(np.median(within) - np.median(around)))
    return min(steps)


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
