"""Tiles that have been played with: white edges and corners, scratches, faded print."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]

CORE_BGR = (196, 208, 214)  # the grey board under the print
_REACH = 0.022  # share of the side to which worn edges reach in at most
_FADED_BGR = (205, 212, 214)


def worn(face: Picture, rng: np.random.Generator, amount: float) -> Picture:
    """A face (H, W, 3) uint8 BGR after years of play; `amount` 0 (new) to 1."""
    side, size = max(face.shape[:2]), (face.shape[1], face.shape[0])
    rough = cv2.resize(rng.random((24, 24), np.float32), size, interpolation=cv2.INTER_CUBIC)
    rough += 0.5 * cv2.resize(rng.random((90, 90), np.float32), size, interpolation=cv2.INTER_CUBIC)
    y, x = np.mgrid[0 : size[1], 0 : size[0]].astype(np.float32) / (side - 1)
    aside, down = np.minimum(x, (size[0] - 1) / (side - 1) - x), np.minimum(y, (size[1] - 1) / (side - 1) - y)
    inset = np.minimum(np.minimum(aside, down), 0.5 * np.hypot(aside, down))  # corners wear first
    bare = np.clip((amount * _REACH * rough - inset) * side / 2, 0, 1)
    scratches = np.zeros(size[::-1], np.uint8)
    for _ in range(rng.poisson(4 * amount)):
        a, b = rng.integers(0, side, 2), rng.normal(0, side / 5, 2)
        cv2.line(scratches, a.tolist(), (a + b).astype(int).tolist(), int(rng.integers(40, 120)), 1, cv2.LINE_AA)
    bare = np.maximum(bare, scratches.astype(np.float32) / 255)
    faded = 0.12 * amount * rng.random()
    out = face * (1 - faded) + np.array(_FADED_BGR, np.float32) * faded
    out = out * (1 - bare[..., None]) + np.array(CORE_BGR, np.float32) * bare[..., None]
    return np.asarray(np.clip(out + 0.5, 0, 255).astype(np.uint8))
