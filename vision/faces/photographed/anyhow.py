"""Pieces that lie anyhow, perhaps under others: what speaks against a face, and what is only the way the piece lies."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]

SOFTER = (0.8, 1.4)  # px of the picture by which a crop may be sharper than what was learnt
SHORE = 0.04  # width of the strip along what is seen, as a share of the side, through which things reach onto a piece


def island_share(valid: F32, explained: F32, unlike: NDArray[np.bool_]) -> float:
    """Share of what is judged (`valid` (h, w), weights) that is `unlike` (h, w) print and lies in regions without
    `explained` (h, w) which the explained part surrounds.

    What lies on a piece mostly reaches over its edge. A region within print that is as learnt is print that is not: the
    piece is of another kind, however much of it looks alike. Print that looks alike there is in another light.
    """
    judged = np.asarray(valid > 0, np.uint8)
    _, labels = cv2.connectedComponents(judged & np.asarray(explained <= 0, np.uint8), connectivity=8)
    reach = max(1, round(SHORE * float(valid.size) ** 0.5))
    shore = cv2.erode(judged, np.ones((2 * reach + 1,) * 2, np.uint8), borderType=cv2.BORDER_CONSTANT, borderValue=0)
    islands = (labels > 0) & ~np.isin(labels, np.unique(labels[shore == 0]))
    return int((islands & unlike).sum()) / max(int(judged.sum()), 1)


def softened_difference(seen: F32, face: F32, explained: F32) -> F32:
    """(h, w) colour difference of a crop `seen` (h, w, 3) to a `face`, the crop being as soft as the face where it is
    `explained`: pictures that were turned upright to be learnt are less sharp, which is no other print."""
    told = np.asarray(explained > 0)
    every = [seen, *(cv2.GaussianBlur(seen, (0, 0), sigma) for sigma in SOFTER)]
    square = [np.asarray(((one - face) ** 2).mean(axis=2), np.float32) for one in every]
    return np.asarray(np.sqrt(min(square, key=lambda one: float(one[told].sum()))))
