"""Candidates for square tiles in a picture: convex quadrilaterals of several thresholds, gathered by votes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

WORK_WIDTH_PX = 1280  # larger pictures are looked at in this size; tiles of 50 px keep a border of 3 px
MIN_SIDE_WIDTHS, MAX_SIDE_WIDTHS = 0.022, 0.3  # sides of a tile, in picture widths
BLOCKS_WIDTHS = (0.024, 0.055, 0.12)  # neighbourhoods of the adaptive thresholds
CONTRAST = 4.0  # grey levels that a tile's edge must differ from its neighbourhood in some channel
MIN_SIDE_RATIO = 0.45  # shortest to longest side: a square seen at 60 degrees
MIN_FILL = 0.9  # area of the quadrilateral over the area of the contour's hull
END_SHARE = 0.15  # of a side at each end, left out when a line is fitted to it
NEAR_PX = 4.0  # how far contour points of a side lie from the line between its corners
MIN_POINTS = 8
CORNER_ORDERS = np.array([np.roll(np.arange(4), k) for k in range(4)])  # a square begun at each of its corners
NEXT, BEFORE = CORNER_ORDERS[-1], CORNER_ORDERS[1]  # of each corner, or side, the next one and the one before
SAME_SHARE = 0.06  # quadrilaterals whose corners differ by less than this share of a side are one


@dataclass(frozen=True, slots=True, eq=False)
class Quad:
    """(4, 2) float64 corners, px, clockwise, mean of `votes` contours."""

    corners_px: np.ndarray
    votes: int

    @property
    def centre_px(self) -> np.ndarray:
        """(2,) where the diagonals cross: the middle of the square also in perspective."""
        a, b, c, d = self.corners_px
        along, across = c - a, d - b
        cross = along[0] * across[1] - along[1] * across[0]
        if abs(cross) < 1e-9:
            return np.asarray(self.corners_px.mean(axis=0))
        reach = ((b - a)[0] * across[1] - (b - a)[1] * across[0]) / cross
        return np.asarray(a + reach * along)

    @property
    def side_px(self) -> float:
        """Square root of the area."""
        x, y = self.corners_px.T
        return float(float(abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2) ** 0.5)


def find_quads(image: np.ndarray, more: Callable[[np.ndarray], list[np.ndarray]] | None = None) -> list[Quad]:
    """Everything that looks like a square seen aslant, in a picture (H, W, 3) BGR uint8; most votes first.

    `more`: further masks (H, W) uint8 of the picture in the size it is looked at.
    """
    height, width = image.shape[:2]
    scale = min(1.0, WORK_WIDTH_PX / width)
    if scale < 1.0:
        size = (round(width * scale), round(height * scale))
        image = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
        scale = size[0] / width
    masks = adaptive_masks(image) + (more(image) if more is not None else [])
    found = [quad for mask in masks for quad in _outlines(mask, image.shape[1])]
    return _gather((np.array(found).reshape(-1, 4, 2) + 0.5) / scale - 0.5)


def adaptive_masks(image: np.ndarray) -> list[np.ndarray]:
    """What is brighter and what is darker than its neighbourhood in lightness, both colour axes and saturation."""
    lab = cv2.cvtColor(image, cv2.COLOR_BGR2LAB)
    saturation = cv2.cvtColor(image, cv2.COLOR_BGR2HSV)[..., 1]
    masks = []
    kernel = np.ones((5, 5), np.uint8)
    for channel in (*cv2.split(lab), saturation):
        smooth = cv2.GaussianBlur(channel, (0, 0), 1.0)
        for share in BLOCKS_WIDTHS:
            block = int(share * image.shape[1]) | 1
            for contrast in (-CONTRAST, CONTRAST):
                kind = cv2.THRESH_BINARY if contrast < 0 else cv2.THRESH_BINARY_INV
                mask = cv2.adaptiveThreshold(smooth, 255, cv2.ADAPTIVE_THRESH_MEAN_C, kind, block, contrast)
                masks += [mask, cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel)]
    return masks


def _outlines(mask: np.ndarray, width: int) -> list[np.ndarray]:
    """The quadrilaterals (4, 2) float64, clockwise, among the outlines of a mask."""
    low, high = (MIN_SIDE_WIDTHS * width) ** 2, (MAX_SIDE_WIDTHS * width) ** 2
    shortest = 2.0 * (MIN_SIDE_WIDTHS * width - 1.0)  # steps around a box that is large enough
    out = []
    for contour in cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)[0]:
        if len(contour) < shortest:
            continue
        _, _, w, h = cv2.boundingRect(contour)
        if w * h < low or min(w, h) ** 2 > high:
            continue
        hull = cv2.convexHull(contour, clockwise=True)
        area = cv2.contourArea(hull)
        if not low < area < high:
            continue
        shape = cv2.approxPolyDP(hull, 0.03 * cv2.arcLength(hull, True), True)
        if len(shape) != 4 or cv2.contourArea(shape) < MIN_FILL * area:
            continue
        corners = shape[:, 0].astype(np.float64)
        sides = np.linalg.norm(corners[NEXT] - corners, axis=1)
        if sides.min() >= MIN_SIDE_RATIO * sides.max():
            out.append(_sharpened(contour[:, 0].astype(np.float64), _clockwise(corners)))
    return out


def _sharpened(contour: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """The corners as crossings of lines through the contour's points along each side: cardboard has round corners."""
    sides = corners[NEXT] - corners
    length = np.hypot(sides[:, 0], sides[:, 1])
    along = sides / length[:, None]
    off = contour[None] - corners[:, None]
    share = np.matmul(off, along[..., None])[..., 0] / length[:, None]
    beside = np.abs(off[..., 0] * along[:, 1:] - off[..., 1] * along[:, :1])
    lines = np.empty((4, 3))
    for number, near in enumerate((share > END_SHARE) & (share < 1 - END_SHARE) & (beside < NEAR_PX)):
        points = contour[near]
        if len(points) < MIN_POINTS:
            return corners
        vx, vy, x, y = cv2.fitLine(points.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).ravel().tolist()
        lines[number] = vy, -vx, vx * y - vy * x
    (a, b, c), (d, e, f) = lines[BEFORE].T, lines.T
    crossings = np.column_stack([b * f - c * e, c * d - a * f, a * e - b * d])  # where each side meets the one before
    if (np.abs(crossings[:, 2]) < 1e-3).any():
        return corners
    sharp = crossings[:, :2] / crossings[:, 2:]
    return sharp if np.abs(sharp - corners).max() < 2 * NEAR_PX else corners


def _clockwise(corners: np.ndarray) -> np.ndarray:
    """The corners clockwise as seen (y down), beginning with the one nearest the picture's top left."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners.tolist()
    if (cx - ax) * (dy - by) - (cy - ay) * (dx - bx) < 0:  # twice the area, by the diagonals
        corners = corners[::-1]
    first = int(corners.sum(axis=1).argmin())
    return np.asarray(corners[CORNER_ORDERS[-first % 4]])


def _gather(quads: np.ndarray) -> list[Quad]:
    """Near-equal quadrilaterals as one with as many votes; most votes first."""
    left = list(range(len(quads)))
    middles = quads.mean(axis=1)
    out = []
    while left:
        first = quads[left[0]]
        side = float(np.linalg.norm(first[1] - first[0]))
        beside = np.abs(middles[left] - middles[left[0]]).max(axis=1) < SAME_SHARE * side
        near = [left[k] for k in np.flatnonzero(beside).tolist()]
        # the corner nearest the top left may be another one of a square that stands on its tip
        ways = quads[near][:, CORNER_ORDERS]  # (N, 4, 4, 2)
        apart = np.abs(ways - first).max(axis=(2, 3))
        same = np.flatnonzero(apart.min(axis=1) < SAME_SHARE * side)
        turned = ways[same, apart[same].argmin(axis=1)]
        out.append(Quad(np.median(turned, axis=0), len(same)))
        gathered = {near[k] for k in same.tolist()}
        left = [i for i in left if i not in gathered]
    return sorted(out, key=lambda q: -q.votes)
