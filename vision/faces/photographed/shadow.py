"""The edge of a hard shadow that crosses a piece: print beside it is seen, print under it is not judged."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]

ANGLES, OFFSETS = 24, 21  # directions, and places in each, at which a straight edge is looked for
WITHIN = 0.8  # of the way from the middle to a corner: an edge further out leaves too little of the piece beyond it
FLOOR = 0.03  # brightness, 0..1, below which a ratio is noise
MOST = 1.2  # natural logarithm of a ratio beyond which it is print that only one of the two has
STEP = 0.2  # least step, natural logarithm, that slow light does not follow well enough for print beside it
SHARE = 0.6  # of the variance of the light that the step must explain: print that is not alike leaves more
BAND = 0.07  # share of the side beside the edge in which slow light is too dark or too bright


def shadow_edge(seen: F32, picture: F32, valid: F32, hw: tuple[int, int]) -> NDArray[np.bool_]:
    """(h, w) bool, size `hw`: where the edge of a hard shadow lies over a piece; nowhere when none does.

    `seen` and `picture` (3, rows, cols) the crop and the learnt picture, 0..1, and `valid` (rows, cols) weights, on one
    coarse grid. A shadow has one edge from border to border, beyond which all print is darker alike.
    """
    ratio = np.log((seen.mean(axis=0) + np.float32(FLOOR)) / (picture.mean(axis=0) + np.float32(FLOOR)))
    ratio = ratio - np.median(ratio[valid > 0]) if (valid > 0).any() else ratio
    light = cv2.medianBlur(np.clip(ratio, -MOST, MOST).astype(np.float32), 5)
    places, beyond = _places(valid.shape)
    weight, value = valid.ravel(), (light * valid).ravel()
    whole, total = float(weight.sum()) + 1e-6, float(value.sum())
    there, sums = beyond @ weight, beyond @ value
    rest = whole - there
    usable = np.minimum(there, rest) > 0.05 * whole
    between = np.where(usable, sums**2 / (there + 1e-6) + (total - sums) ** 2 / (rest + 1e-6) - total**2 / whole, 0.0)
    best = int(between.argmax())
    variance = float((light * light * valid).sum()) - total**2 / whole
    step = abs(sums[best] / (there[best] + 1e-6) - (total - sums[best]) / (rest[best] + 1e-6))
    if not usable[best] or step < STEP or between[best] < SHARE * variance:
        return np.zeros(hw, np.bool_)
    distance = cv2.resize(places[best], hw[::-1], interpolation=cv2.INTER_LINEAR)
    return np.asarray(np.abs(distance) < BAND)


@lru_cache(maxsize=8)
def _places(hw: tuple[int, int]) -> tuple[F32, F32]:
    """(edges, rows, cols) distance from each straight edge that is tried, as a share of the side; and
    (edges, rows * cols) 1 beyond it, else 0."""
    rows, cols = hw
    side = float(rows * cols) ** 0.5
    x, y = (np.arange(cols) + 0.5 - cols / 2) / side, (np.arange(rows) + 0.5 - rows / 2) / side
    reach = WITHIN * float(np.hypot(rows, cols)) / (2 * side)
    out = [
        np.cos(angle) * x[None] + np.sin(angle) * y[:, None] - offset
        for angle in np.arange(ANGLES) * np.pi / ANGLES
        for offset in np.linspace(-reach, reach, OFFSETS)
    ]
    places = np.asarray(out, np.float32)
    return places, (places > 0).reshape(len(places), -1).astype(np.float32)
