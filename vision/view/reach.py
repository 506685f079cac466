"""What has come in from the edge of the picture since an earlier one of the same view: an arm, whatever its colours."""

from __future__ import annotations

import cv2
import numpy as np

# Gaps up to this width (mm) are bridged: part of a hand may have the very look of what lies under it.
BRIDGED_MM = 8.0

# Narrower things (mm) are no arm: a cable, the edge of a shadow. A finger is wider.
NARROW_MM = 10.0

# What comes this near (mm) to the edge of the picture comes from beyond it.
EDGE_MM = 4.0


def come_in(changed: np.ndarray, in_picture: np.ndarray, px_per_mm: float) -> np.ndarray:
    """(H, W) bool: what has `changed` (H, W) uint8 0 or 1 and hangs together with the edge of the picture.

    `in_picture` (H, W) bool: the pixels that the picture shows; what lies along the rim of the array is its edge, too.
    """

    if not cv2.countNonZero(changed):
        return np.zeros(changed.shape, bool)

    def disc(across_mm: float) -> np.ndarray:
        size = round(across_mm * px_per_mm) | 1
        return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)))

    whole = cv2.morphologyEx(changed, cv2.MORPH_CLOSE, disc(BRIDGED_MM))
    # beyond the edge an arm goes on: else its end there would look narrow
    whole = np.where(in_picture, whole, 1).astype(np.uint8)
    whole = cv2.morphologyEx(whole, cv2.MORPH_OPEN, disc(NARROW_MM))
    inner = cv2.erode(np.pad(in_picture, 1).astype(np.uint8), disc(2 * EDGE_MM))[1:-1, 1:-1] > 0
    _, labels = cv2.connectedComponents(np.where(in_picture, whole, 0).astype(np.uint8), connectivity=4)
    from_beyond = np.unique(labels[in_picture & ~inner])
    return np.isin(labels, from_beyond[from_beyond > 0])
