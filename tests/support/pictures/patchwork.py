"""Made-up prints without any symmetry, for tests of how pictures are searched, aligned and compared."""

from __future__ import annotations

import cv2
import numpy as np


def patchwork(seed: int, wh: tuple[int, int] = (48, 48)) -> np.ndarray:
    """(h, w, 3) float32 in 0..1: 6 x 6 soft-edged fields of chance colours, neither black nor blown out."""
    fields = np.random.default_rng(seed).uniform(0.15, 0.85, (6, 6, 3)).astype(np.float32)
    return np.clip(cv2.GaussianBlur(cv2.resize(fields, wh, interpolation=cv2.INTER_NEAREST), (0, 0), 1.0), 0, 1)


def spotted(seed: int, wh: tuple[int, int]) -> np.ndarray:
    """A patchwork (h, w, 3) with small spots all over it, which are points by which print is found."""
    picture, rng = patchwork(seed, wh), np.random.default_rng([seed, 1])
    for x, y in rng.uniform((6, 6), (wh[0] - 6, wh[1] - 6), (40, 2)).round().astype(int).tolist():
        cv2.circle(picture, (x, y), int(rng.integers(1, 4)), rng.uniform(0, 1, 3).tolist(), -1, cv2.LINE_AA)
    return picture


def as_photograph(picture: np.ndarray) -> np.ndarray:
    """The same as uint8."""
    return np.round(picture * 255).astype(np.uint8)
