"""Which round outlines are shadows that pieces throw: as dark as shaded table, beside a clearer rim."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.count.appearance.looks import usual_light
from vision.count.discs.search import FoundDiscs

Floats = NDArray[np.float64]

# Natural log by which a channel of shaded table may leave the others: what lights a shadow is the room, somewhat bluer
# than the lamp. Rendered shadows have 0.05 at most, candies of about the table's colour 0.19 and more.
SAME_CAST = 0.15
SHADE = (0.2, 0.9)  # share of the table's light that a shadow has: a room's walls throw back a fifth and more
BESIDE = 1.25  # of the sum of two radii: a shadow begins at the piece that throws it
# Of a shadow's rim at most: it is soft far from the piece, beneath it not seen; of free pieces 0.85 and more.
SEEN = 0.75
AROUND = (1.1, 2.2)  # of a radius: the table around it
WITHIN = 0.9  # of a shadow's: without what lies at its rim
LEAST_PX = 30  # of table around, or the whole table is taken
LEAST_FREE_PX = 5  # of a shadow that no clearer rim covers: fewer are noise
# Nothing in a shadow is brighter, in its weakest channel, than the table beside it in full light, whose own specks are
# a fiftieth of it: a lamp mirrored in a dark piece is, or a letter on it. One pixel may be noise. It is looked for
# farther from the pieces beside than their blurred rims reach, and away from its own rim, where others may lie that
# were not found.
SPECKS, LEAST_BRIGHT_PX, CLEAR_OF_RIM, CORE = 98, 2, 1.25, 0.7
BLACK = 0.002  # linear light in which a camera sees nothing


def thrown_shadows(picture: NDArray[np.uint8], found: FoundDiscs) -> NDArray[np.bool_]:
    """(N,) which outlines in a picture (H, W, 3) uint8 BGR are shadows of others: only what clearer rims beside them do
    not cover is looked at, as a piece and its shadow may be taken for one more disc.
    """
    covered = np.zeros(picture.shape[:2], np.uint8)
    for outline in found.outlines:
        _fill(covered, outline, AROUND[0], 1)
    gaps = np.linalg.norm(found.xy[:, None] - found.xy[None], axis=2)
    beside = gaps < BESIDE * (found.radius[:, None] + found.radius[None])
    np.fill_diagonal(beside, False)
    throws = beside & (found.support[None] >= found.support[:, None])
    dark = np.zeros(len(found), bool)
    faint = np.flatnonzero((found.support < SEEN) & throws.any(axis=1))
    usual = _lit(picture[covered == 0]) if len(faint) else np.zeros(3)
    for k in faint:
        own = np.zeros(picture.shape[:2], np.uint8)
        _fill(own, found.outlines[k], WITHIN, 1)
        for outline in found.outlines[throws[k]]:
            _fill(own, outline, AROUND[0], 0)
        free = picture[own > 0]
        if len(free) < LEAST_FREE_PX:
            continue
        around = _table_around(picture, covered, found.xy[k], AROUND[1] * found.radius[k])
        if around is not None:
            core = np.zeros(picture.shape[:2], np.uint8)
            _fill(core, found.outlines[k], CORE, 1)
            for outline in found.outlines[beside[k]]:  # spots of those that throw nothing shine as well
                _fill(core, outline, CLEAR_OF_RIM, 0)
            if _shines(picture[core > 0], around):
                continue
        table = usual if around is None else _lit(around)
        left = np.log(usual_light(free) + BLACK) - np.log(table + BLACK)
        alike = np.abs(left - left.mean()).max() < SAME_CAST
        dark[k] = alike and SHADE[0] < np.exp(left.mean()) < SHADE[1]
    return np.asarray(dark & (throws & ~dark[None]).any(axis=1))


def _fill(mask: NDArray[np.uint8], outline: Floats, share: float, value: int) -> None:
    """Fill an outline (N, 2) px, at a share of its size, with a value."""
    middle = outline.mean(axis=0)
    cv2.fillPoly(mask, [np.round(middle + share * (outline - middle)).astype(np.int32)], value)


def _table_around(
    picture: NDArray[np.uint8], covered: NDArray[np.uint8], xy: Floats, reach: float
) -> NDArray[np.uint8] | None:
    """(N, 3) uint8 BGR of the table around a place; None where little of it is seen."""
    low = np.maximum((xy - reach).astype(int), 0)
    high = np.maximum((xy + reach).astype(int) + 1, 0)
    rows, cols = slice(low[1], high[1]), slice(low[0], high[0])
    free = picture[rows, cols][covered[rows, cols] == 0]
    return free if len(free) >= LEAST_PX else None


def _shines(pixels: NDArray[np.uint8], table: NDArray[np.uint8]) -> bool:
    """Whether some of the pixels (N, 3) are brighter than the table (M, 3) beside them, but for its specks."""
    brightest = np.percentile(table.min(axis=1), SPECKS)
    return int((pixels.min(axis=1) > brightest).sum()) >= LEAST_BRIGHT_PX


def _lit(pixels: NDArray[np.uint8]) -> Floats:
    """(3,) usual linear BGR of the lighter half of pixels (N, 3)."""
    if not len(pixels):
        return np.zeros(3)
    light = pixels.sum(axis=1)
    return usual_light(pixels[light >= np.median(light)])
