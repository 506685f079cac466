"""Small round things in pieces' colours beside what was counted: a bowl that counts as a piece leaves them out."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.count.leftovers import fill, grown, off_colours
from vision.count.table.ground import LEVEL, Ground

LEAST_PX = 3.5  # of a radius in the ground's px: smaller ones are specks
SMALLER = 0.55  # of the counted pieces' radius: larger ones are told by their rims or as left over
ROUND = (0.75, 1.45)  # of the area of a disc as deep as the thing: letters, lines and grain are broader than deep
# From a learnt colour: a bowl that is named as a piece tells a wrong light, by which pieces lay 16 to 20 off.
SIMILAR_LAB = 25.0
COUNTED = 1.2  # of a counted piece's size, within which its own rim and shadow lie


def much_smaller(ground: Ground, outlines: Sequence[NDArray[np.float64]], colours_lab: NDArray[np.float32]) -> int:
    """How many round things of a learnt colour, Lab (K, 3), lie beside the pieces that were counted, outlines (N, 2) in
    px of the ground, and are much smaller than these.
    """
    left = (ground.difference > LEVEL).astype(np.uint8)
    for outline in outlines:
        fill(left, grown(outline, COUNTED), 0)
    usual = float(np.median([np.linalg.norm(o - o.mean(axis=0), axis=1).mean() for o in outlines]))
    number, labels, stats, _ = cv2.connectedComponentsWithStats(left)
    depth = cv2.distanceTransform(left, cv2.DIST_L2, 5)
    found = 0
    for k in np.flatnonzero(stats[:number, cv2.CC_STAT_AREA] >= np.pi * LEAST_PX**2 * ROUND[0]):
        x, y, wide, high, area = stats[k]
        if k == 0 or max(wide, high) > 2 * usual:
            continue
        at = (slice(y, y + high), slice(x, x + wide))
        own = labels[at] == k
        deep = float(depth[at][own].max())
        if not LEAST_PX <= deep <= SMALLER * usual or not ROUND[0] <= area / (np.pi * deep**2) <= ROUND[1]:
            continue
        found += bool(np.median(off_colours(ground.seen[at][own], colours_lab)) < SIMILAR_LAB)
    return found
