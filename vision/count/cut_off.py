"""Pieces that the picture's edge cuts off: too little of a rim is seen of them to count them, enough to say so."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

SEEN = 0.68  # of a piece's radius that is inside the picture at least: a shadow or a chip's spot reaches less far
NEAR = 0.5  # of a piece's radius from the edge: farther inside nothing is cut off
CORE = 0.5  # of a piece's radius around its deepest place: what shows its colour
BEYOND = 0.02  # of a counted piece's area beyond the picture's edge, as where it cuts off a tenth of the radius
TOO_BROAD = 1.35  # of a piece's radius: a card, a cloth or another table that the edge cuts off


def cut_off(left: NDArray[np.uint8], radius: float) -> list[tuple[slice, slice]]:
    """What is as broad as a piece of a radius px and ends at the picture's edge, by where something lies that is no
    counted piece (H, W), 0 or 1: rows and columns of the middle of each.
    """
    pad = int(np.ceil(2 * radius)) + 1
    if min(left.shape) <= pad:
        return []
    # beyond the edge a piece goes on as its mirror image: half a disc becomes a whole one
    rest = cv2.copyMakeBorder(left, pad, pad, pad, pad, cv2.BORDER_REFLECT)
    inside = np.zeros(rest.shape, bool)
    inside[pad:-pad, pad:-pad] = True
    reach = pad + int(NEAR * radius) + 1
    inside[reach:-reach, reach:-reach] = False
    core = max(1, round(CORE * radius))
    found: list[tuple[slice, slice]] = []
    while True:
        depth = np.where(inside, cv2.distanceTransform(rest, cv2.DIST_L2, 5), 0)
        y, x = (int(v) for v in np.unravel_index(depth.argmax(), depth.shape))
        if depth[y, x] < SEEN * radius:
            return found
        if depth[y, x] < TOO_BROAD * radius:
            rows, cols = (slice(max(0, v - pad - core), v - pad + core + 1) for v in (y, x))
            found.append((rows, cols))
        cv2.circle(rest, (x, y), round(max(radius, float(depth[y, x]))) + 1, 0, -1)


def beyond_edge(outlines: Sequence[NDArray[np.float64]], size: tuple[int, int]) -> int:
    """How many of the pieces that were counted, outlines (N, 2) px, the edge of a picture of a size (width, height)
    cuts off: people count such a piece, or do not.
    """
    number = 0
    for outline in outlines:
        whole, seen = (cv2.contourArea(o.astype(np.float32)) for o in (outline, np.clip(outline, 0, np.array(size))))
        number += seen < (1 - BEYOND) * whole
    return number
