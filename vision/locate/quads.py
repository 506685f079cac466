"""Candidates for square tiles in a picture: convex quadrilaterals of several thresholds, gathered by votes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import hypot

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
# Points farther than this off a line, as the steps of an outline between whole pixels are, pull no harder: beside a
# shadow or a finger's mark the line stays with most of the side.
OUTLYING_PX, LINE_ROUNDS = 0.25, 12
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
    if not found:
        return []
    outlines, rough = zip(*found, strict=True)
    return _gather((_sharpened(outlines, np.array(rough)) + 0.5) / scale - 0.5)


def adaptive_masks(image: np.ndarray) -> list[np.ndarray]:
    """What is brighter and what is darker than its neighbourhood in lightness, both colour axes and saturation."""
    lab = cv2.cvtColor(image, cv2.COLOR_BGR2LAB)
    saturation = cv2.cvtColor(image, cv2.COLOR_BGR2HSV)[..., 1]
    masks = []
    kernel = np.ones((5, 5), np.uint8)
    for channel in (*cv2.split(lab), saturation):
        smooth = cv2.GaussianBlur(channel, (0, 0), 1.0)
        for share in BLOCKS_WIDTHS:
            block = (int(share * image.shape[1]) | 1,) * 2
            around = cv2.boxFilter(smooth, -1, block, borderType=cv2.BORDER_REPLICATE)
            for more, least in ((cv2.subtract(smooth, around), CONTRAST), (cv2.subtract(around, smooth), CONTRAST - 1)):
                mask = cv2.threshold(more, least, 255, cv2.THRESH_BINARY)[1]
                masks += [mask, cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel)]
    return masks


def _outlines(mask: np.ndarray, width: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """The outlines (N, 2) int32 of a mask that are quadrilaterals, each with its rough corners (4, 2) float64,
    clockwise."""
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
        a, b, c, d = corners.tolist()
        sides = [hypot(x[0] - y[0], x[1] - y[1]) for x, y in ((a, b), (b, c), (c, d), (d, a))]
        if min(sides) >= MIN_SIDE_RATIO * max(sides):
            out.append((contour[::2, 0], _clockwise(corners)))  # neighbours say the same
    return out


def _sharpened(outlines: Sequence[np.ndarray], rough: np.ndarray) -> np.ndarray:
    """(Q, 4, 2) the corners as crossings of lines through the outline's points along each side: cardboard has round
    corners. `outlines`: (N, 2) points each; `rough` (Q, 4, 2): where their corners are nearly, and stay if one of the
    sides has few points."""
    points = np.concatenate(outlines).astype(np.float64)
    of = np.repeat(np.arange(len(rough)), [len(outline) for outline in outlines])
    sides = rough[:, NEXT] - rough
    length = np.hypot(sides[..., 0], sides[..., 1])
    along = sides / length[..., None]
    off_x, off_y = points[:, :1] - rough[of, :, 0], points[:, 1:] - rough[of, :, 1]
    to_x, to_y = along[of, :, 0], along[of, :, 1]
    share = (off_x * to_x + off_y * to_y) / length[of]
    near = (share > END_SHARE) & (share < 1 - END_SHARE) & (np.abs(off_x * to_y - off_y * to_x) < NEAR_PX)
    number, side = np.nonzero(near)
    lines, told = _lines(points[number], 4 * of[number] + side, 4 * len(rough))
    lines, told = lines.reshape(-1, 4, 3), told.reshape(-1, 4)
    crossings = np.cross(lines[:, BEFORE], lines)  # where each side meets the one before
    usable = (told >= MIN_POINTS).all(1) & (np.abs(crossings[..., 2]) >= 1e-3).all(1)
    sharp = crossings[usable, :, :2] / crossings[usable, :, 2:]
    beside = (np.abs(sharp - rough[usable]) < 2 * NEAR_PX).all((1, 2))
    out = rough.copy()
    out[np.flatnonzero(usable)[beside]] = sharp[beside]
    return out


def _lines(points: np.ndarray, of: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """(L, 3) lines a x + b y + c = 0, (a, b) of length 1, each through those of the points (N, 2) whose number `of`
    (N,) is its own, and (L,) how many these are: least squares, reweighted so that an outlier pulls no harder than a
    point OUTLYING_PX off (Huber)."""
    x, y = points.T
    weight = np.ones(len(points))
    told = np.bincount(of, minlength=count)
    lines = np.empty((count, 3))
    for _ in range(LINE_ROUNDS):
        whole = np.maximum(np.bincount(of, weight, count), 1e-9)
        middle_x, middle_y = (np.bincount(of, weight * v, count) / whole for v in (x, y))
        dx, dy = x - middle_x[of], y - middle_y[of]
        xx, xy, yy = (np.bincount(of, weight * v, count) for v in (dx * dx, dx * dy, dy * dy))
        angle = 0.5 * np.arctan2(2 * xy, xx - yy)
        lines[:, 0], lines[:, 1] = -np.sin(angle), np.cos(angle)
        off = np.abs(dx * lines[of, 0] + dy * lines[of, 1])
        weight = OUTLYING_PX / np.maximum(off, OUTLYING_PX)
    lines[:, 2] = -lines[:, 0] * middle_x - lines[:, 1] * middle_y
    return lines, told


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
