"""The rim of a piece that teaches by its shape, where spots at its edge break every ring that could be followed."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.count.discs.rims import ANGLES, circle

Floats = NDArray[np.float64]

CORNERS = 1.15  # of a box's half breadth from its middle: beyond what a piece covers
TABLE_LAB = 20.0  # from the table, and from any shade of it down to so much of its lightness, something lies there
SHADED = 0.6
LEAST_POINTS = 8  # of a hull, between which it is straight: three chords are no ring
# Of the ellipse's area: the hull of a cog with eight teeth has 0.95 of it, that of a square 0.64 of its circle.
ROUND = (0.9, 1.04)
BESIDE = 0.06  # of the radius, on either side of a rim: there it is seen where the piece begins


def rim_of_shape(lab: NDArray[np.float32]) -> tuple[Floats, float] | None:
    """The outline (ANGLES, 2) px of the largest thing in a box (H, W, 3) Lab whose corners show its table, and the part
    of it at which that thing ends; None where it is not round. Spots that have the table's colour leave a cog: an
    ellipse through its teeth is the piece.
    """
    height, width = lab.shape[:2]
    rows, cols = np.mgrid[:height, :width]
    away = np.hypot((cols + 0.5) / width - 0.5, (rows + 0.5) / height - 0.5) * 2
    table = np.median(lab[away > CORNERS], axis=0)
    shade = np.clip((lab @ table) / max(float(table @ table), 1.0), SHADED, 1.0)
    lying = (np.linalg.norm(lab - shade[..., None] * table, axis=2) > TABLE_LAB).astype(np.uint8)
    things = cv2.findContours(lying, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]
    if not things:
        return None
    hull = cv2.convexHull(max(things, key=cv2.contourArea))
    if len(hull) < LEAST_POINTS:
        return None
    middle, axes, turn = cv2.fitEllipse(hull)
    if min(axes) < 1 or not ROUND[0] < cv2.contourArea(hull) / (np.pi / 4 * axes[0] * axes[1]) < ROUND[1]:
        return None
    cosine, sine = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    along = np.stack(circle(), axis=1) * np.array(axes) / 2 @ np.array([[cosine, sine], [-sine, cosine]])
    within, beyond = (_at(lying, np.array(middle) + share * along) for share in (1 - BESIDE, 1 + BESIDE))
    return np.array(middle) + along, float((within & ~beyond).sum() / ANGLES)


def _at(mask: NDArray[np.uint8], points: Floats) -> NDArray[np.bool_]:
    """(N,) what a mask (H, W) shows at points (N, 2) px; nothing lies beyond its border."""
    x, y = np.round(points).astype(int).T
    inside = (x >= 0) & (y >= 0) & (x < mask.shape[1]) & (y < mask.shape[0])
    shown = np.zeros(len(points), bool)
    shown[inside] = mask[y[inside], x[inside]] > 0
    return shown
