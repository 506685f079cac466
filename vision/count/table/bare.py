"""Which round outlines enclose nothing but table: rings in its own grain, print or weave."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.count.discs.search import ROUND_SUPPORT, Found
from vision.count.table.ground import LEVEL, Ground

WITHIN = 0.9  # of an outline's size: without the line that was taken for a rim
# Of what an outline encloses that may differ from the table all the same: its own specks. Of pieces in about the
# table's colour 0.6 and more did, of rings in its print nothing.
SPECKS = 0.05


def is_bare_table(found: Found, ground: Ground) -> NDArray[np.bool_]:
    """(N,) which outlines, in px of the ground (H, W), enclose nothing but table. What has a whole piece's rim is none
    of them: it may be a piece of just the table's colour.
    """
    bare = np.zeros(len(found), bool)
    for k in np.flatnonzero(found.support < ROUND_SUPPORT):
        middle = found.outlines[k].mean(axis=0)
        inside = np.zeros(ground.difference.shape, np.uint8)
        cv2.fillPoly(inside, [np.round(middle + WITHIN * (found.outlines[k] - middle)).astype(np.int32)], 1)
        differs = ground.difference[inside > 0] > LEVEL
        bare[k] = len(differs) > 0 and differs.mean() < SPECKS
    return bare
