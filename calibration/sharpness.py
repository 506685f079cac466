"""How sharp a picture is, told at the outer edges of the markers, whose black and white are known."""

from __future__ import annotations

import cv2
import numpy as np

from vision.locate.markers import MarkerLayout, find_markers

# The strokes of a face are about 1 mm, which is 1 px at the least resolution (calibration/health.py): an edge that
# takes more than four of them mixes each stroke with its neighbours on both sides.
SOFT_PX = 4.0

REACH_PX = 8.0
STEP_PX = 0.25
LOW, HIGH = 0.1, 0.9
"""Shares of the way from black to white between which an edge is measured, as is usual for lenses."""

ALONG = (0.3, 0.4, 0.5, 0.6, 0.7)
"""Where on a side, as shares of it: away from the corners."""

LEAST_CONTRAST = 40.0
"""Grey levels between the marker's black and the paper; less and the noise of a dim picture decides."""


def edge_width_px(gray: np.ndarray, layout: MarkerLayout) -> float | None:
    """Median width of the markers' outer edges from 10 to 90 % of the step, px; None when none can be measured.

    `gray`: (H, W) uint8. For a Gaussian blur of deviation s the width is 2.563 s: twice the normal quantile of 0.9.
    """
    widths = []
    for marker in find_markers(gray, layout):
        corners = marker.corners_px
        middle = corners.mean(axis=0)
        for first, second in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            side = second - first
            normal = np.array([side[1], -side[0]]) / np.linalg.norm(side)
            outward = normal if normal @ (first - middle) > 0 else -normal
            # Not further in than the black border, a cell of the marker's six.
            reach = min(REACH_PX, float(np.linalg.norm(side)) / 8)
            steps = np.arange(-reach, reach + STEP_PX / 2, STEP_PX)
            for share in ALONG:
                at = (first + share * side + steps[:, None] * outward).astype(np.float32)
                profile = cv2.remap(gray, at[None, :, 0], at[None, :, 1], cv2.INTER_LINEAR)[0].astype(float)
                width = _width(profile)
                if width is not None:
                    widths.append(width)
    return float(np.median(widths)) if widths else None


def _width(profile: np.ndarray) -> float | None:
    """Of a rise from black to white, px."""
    end = max(1, len(profile) // 8)
    black, white = float(profile[:end].mean()), float(profile[-end:].mean())
    if white - black < LEAST_CONTRAST:
        return None
    risen = (profile - black) / (white - black)
    low = int(np.flatnonzero(risen < LOW)[-1]) if (risen < LOW).any() else 0
    after = np.flatnonzero(risen[low:] > HIGH)
    return float(after[0]) * STEP_PX if after.size else None
