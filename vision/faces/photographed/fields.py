"""How much of the print of a learnt picture a crop shows: small fields that look alike, each shifted a little."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]

FIELD = 0.1  # side of a field as a share of the piece's
SHIFT = 0.01  # a field may lie so far off: pieces bend, and pictures to learn from are not cut exactly
# Contrast of a field, 0..1, from which it is print that is judged: noise of 0.03 alone takes the correlation of paler
# print below ALIKE.
PRINTED = 0.1
PRINTED_VARIANCE = np.float32(3 * PRINTED**2)  # summed over the channels
ALIKE = 0.9  # correlation from which a field looks alike: strange letters reach 0.8 in most fields
VISIBLE = 0.5  # share of a field that must be in the crop
FEW = 0.01  # share of a piece that must be print for it to be told by


def alike_share(shown: F32, seen: F32, valid: F32) -> float:
    """Share of the printed fields of `shown` (h, w, 3) that look alike in `seen`; 1 when there are hardly any.

    `shown`: the picture as the crop's light shows it; `seen` (h, w, 3): the crop in its frame, of which `valid` (h, w)
    tells what is in the crop. Both 0..1. The light of each field is its own.
    """
    side = float(shown.shape[0] * shown.shape[1]) ** 0.5
    field = (max(3, round(FIELD * side)) | 1,) * 2
    most = max(1, round(SHIFT * side))
    inside = np.asarray(valid > 0, np.float32)
    known = cv2.blur(inside, field)
    whole = np.maximum(known, np.float32(1e-3))
    mask = inside[..., None]
    shown, seen = shown * mask, seen * mask
    mean_shown, mean_seen = (cv2.blur(one, field) / whole[..., None] for one in (shown, seen))

    def covariance(a: F32, b: F32, mean_a: F32, mean_b: F32) -> F32:
        return np.asarray(cv2.blur(_summed(a * b), field) / whole - _summed(mean_a * mean_b))

    own = covariance(shown, shown, mean_shown, mean_shown)
    theirs = covariance(seen, seen, mean_seen, mean_seen)
    best = np.zeros_like(own)
    for dy in range(-most, most + 1):
        for dx in range(-most, most + 1):
            moved, mean, spread = (np.roll(one, (dy, dx), axis=(0, 1)) for one in (seen, mean_seen, theirs))
            both = covariance(shown, moved, mean_shown, mean)
            best = np.maximum(best, both / np.sqrt(np.maximum(own * spread, np.float32(1e-8))))
    printed = (own > PRINTED_VARIANCE) & (known > VISIBLE)
    if printed.mean() < FEW:
        return 1.0
    return float((best[printed] > ALIKE).mean())


def printed_share(picture: F32) -> float:
    """Share of the fields of `picture` (h, w, 3) in 0..1 that are printed."""
    field = (max(3, round(FIELD * float(picture.shape[0] * picture.shape[1]) ** 0.5)) | 1,) * 2
    contrast = _summed(cv2.blur(picture * picture, field) - cv2.blur(picture, field) ** 2)
    return float((contrast > PRINTED_VARIANCE).mean())


def _summed(planes: F32) -> F32:
    """(h, w) the sum over the channels of (h, w, 3)."""
    return np.asarray(cv2.transform(planes, np.ones((1, 3), np.float32)), np.float32)
