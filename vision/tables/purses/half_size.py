"""Purses seen half as large, where a camera's noise is half as strong and coins are still wide enough."""

from __future__ import annotations

import cv2
import numpy as np

from vision.tables.purses.coins import PX_PER_MM

HALF = 2  # so many px a side are one here
SCALE = PX_PER_MM / HALF  # px a mm


def calm(seen_bgr: np.ndarray) -> np.ndarray:
    """(h, w, 3) float32 BGR: a view (H, W, 3) uint8 BGR seen half as large, for means of several."""
    return half(seen_bgr).astype(np.float32)


def half(seen_bgr: np.ndarray) -> np.ndarray:
    """(h, w, 3) uint8 BGR: a view (H, W, 3) uint8 BGR seen half as large."""
    height, width = seen_bgr.shape[:2]
    return np.asarray(cv2.resize(seen_bgr, (width // HALF, height // HALF), interpolation=cv2.INTER_AREA))
