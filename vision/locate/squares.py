"""Squares of known size and any turn in a picture from straight above, by their sides: for broken outlines."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

# Turns that are tried over a quarter: every 3 degrees.
TURNS = 30

# Grey levels a pixel that are no edge even on the plainest table.
LEAST_SLOPE = 0.5

# Middle part of a side that is looked along: cardboard has round corners.
SIDE_SHARE = 0.85

# A slope so many times as steep as the picture's median counts half: the table's own texture counts little.
ROUGH = 2.5

# A slope of 1 as a byte.
FULL = 255.0

# A side may lie one pixel off.
LOOSE_PX = 3

# Mean strength (0..1) of the three strongest sides from which a square is told.
STRONG = 0.35

# Squares nearer than this part of a side and so many turns are one.
NEAR_SHARE, NEAR_TURNS = 0.15, 2


_Found = tuple[float, int, float, float]
"""Strength, number of the turn, x and y (px) of a square."""


@dataclass(frozen=True, slots=True, eq=False)
class Square:
    """A square's middle (2,) px, turn (degrees clockwise, 0 to 90) and strength (0..1) of its three strongest sides."""

    centre_px: np.ndarray
    turn_deg: float
    strength: float


def find_squares(seen: np.ndarray, side_px: float, where: np.ndarray, most: int) -> list[Square]:
    """The strongest squares with sides of `side_px` in `seen` (H, W, 3) uint8 BGR, strongest first.

    `where` (H, W) bool: where their middles may lie.
    """
    slopes = _slopes(seen)
    height, width = seen.shape[:2]
    reach = int(np.ceil(np.hypot(height, width))) + 2
    middle = np.array([(width - 1) / 2, (height - 1) / 2])
    whole = _whole(side_px)
    found: list[_Found] = []
    for k in range(TURNS):
        angle = np.pi / 2 * k / TURNS
        cos, sin = float(np.cos(angle)), float(np.sin(angle))
        # the picture turned back, so that the squares' sides stand upright
        turned = np.array([[cos, sin, 0.0], [-sin, cos, 0.0]])
        turned[:, 2] = (reach - 1) / 2 - turned[:, :2] @ middle
        # bytes: three times as quick as floats, and the mean of a side is as exact
        both = cv2.split(cv2.convertScaleAbs(cv2.transform(slopes, FULL * turned[:, :2])))
        upright, level = (cv2.warpAffine(g, turned, (reach, reach), flags=cv2.INTER_LINEAR) for g in both)
        strength = _strength(upright, level, side_px)
        rows, columns = _peaks(strength, STRONG * whole)
        back = (np.column_stack([columns, rows]) - turned[:, 2]) @ turned[:, :2]  # a turn's inverse is its transpose
        at = np.round(back).astype(int)
        inside = ((at >= 0) & (at < (width, height))).all(1)
        inside[inside] = where[at[inside, 1], at[inside, 0]]
        strengths = strength[rows[inside], columns[inside]] / whole
        found += [(s, k, x, y) for s, (x, y) in zip(strengths.tolist(), back[inside].tolist(), strict=True)]
    found.sort(reverse=True)
    return [Square(np.array([x, y]), 90.0 * k / TURNS, strength) for strength, k, x, y in _apart(found, side_px, most)]


def _peaks(strength: np.ndarray, least: float) -> tuple[np.ndarray, np.ndarray]:
    """Rows and columns of the pixels (H, W) that exceed `least`, and are no weaker than any within two px."""
    strong = np.asarray(strength > least, np.uint8) * np.uint8(255)
    left, top, width, height = cv2.boundingRect(strong)
    if not width:
        return np.zeros(0, np.intp), np.zeros(0, np.intp)
    top, left, bottom, right = max(0, top - 2), max(0, left - 2), top + height + 2, left + width + 2
    box = strength[top:bottom, left:right]
    highest = cv2.compare(box, cv2.dilate(box, np.ones((5, 5), np.uint8)), cv2.CMP_GE)
    at = np.asarray(cv2.findNonZero(cv2.bitwise_and(highest, strong[top:bottom, left:right]))).reshape(-1, 2)
    return at[:, 1] + top, at[:, 0] + left


def _apart(found: list[_Found], side_px: float, most: int) -> list[_Found]:
    """At most so many of the squares, which come strongest first, without those that are one with a stronger one."""
    kept: list[_Found] = []
    number, x, y = np.array([one[1:] for one in found], np.float32).reshape(-1, 3).T.copy()
    left = np.ones(len(found), bool)
    while len(kept) < most and left.any():
        first = int(left.argmax())
        kept.append(found[first])
        turned, dx, dy = np.abs(number - number[first]), x - x[first], y - y[first]
        near = dx * dx + dy * dy < (NEAR_SHARE * side_px) ** 2
        left &= ~(near & (np.minimum(turned, TURNS - turned) <= NEAR_TURNS))
    return kept


def _slopes(seen: np.ndarray) -> np.ndarray:
    """(H, W, 2) float32: slopes across and down of the channel that changes most; usual ones are small against 1."""
    smooth = cv2.GaussianBlur(seen.astype(np.float32), (0, 0), 1.0)
    across, down = (cv2.Sobel(smooth, cv2.CV_32F, dx, 1 - dx, scale=0.125) for dx in (1, 0))
    steep = np.hypot(across, down)
    most = steep.argmax(-1)[..., None]
    across, down, steep = (np.take_along_axis(g, most, axis=-1)[..., 0] for g in (across, down, steep))
    share = 1.0 / (steep + ROUGH * float(np.median(steep)) + LEAST_SLOPE)
    return np.asarray(cv2.merge([across * share, down * share]))


def _strength(upright: np.ndarray, level: np.ndarray, side_px: float) -> np.ndarray:
    """(H, W) uint16 or float32 sum of the three strongest sides of an upright square around each pixel: `_whole` where
    all are steepest, 0 near the rim.

    `upright`, `level` (H, W) uint8: slopes across and along such sides, FULL where one is steepest.
    """
    length = _length_px(side_px)
    half = round(side_px / 2)
    loose = np.ones((1, LOOSE_PX), np.uint8)
    # whole numbers of two bytes are as exact as floats, and half as many bytes; four sides must fit into them
    depth = cv2.CV_16U if 4 * FULL * length < 1 << 16 else cv2.CV_32F
    left_right = cv2.boxFilter(cv2.dilate(upright, loose), depth, (1, length), normalize=False)
    top_bottom = cv2.boxFilter(cv2.dilate(level, loose.T), depth, (length, 1), normalize=False)
    out = np.zeros(upright.shape, left_right.dtype)
    if min(out.shape) <= 2 * half:
        return out
    inner = slice(half, -half)
    left, right = left_right[inner, : -2 * half], left_right[inner, 2 * half :]
    top, bottom = top_bottom[: -2 * half, inner], top_bottom[2 * half :, inner]
    weakest = cv2.min(cv2.min(left, right), cv2.min(top, bottom))
    every = cv2.add(cv2.add(left, right), cv2.add(top, bottom))
    out[inner, inner] = cv2.subtract(every, weakest)
    return out


def _length_px(side_px: float) -> int:
    """How much of a side is looked along."""
    return int(side_px * SIDE_SHARE) | 1


def _whole(side_px: float) -> float:
    """The `_strength` of a square whose sides are all steepest."""
    return 3 * FULL * _length_px(side_px)
