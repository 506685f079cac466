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
    across, down = _slopes(seen)
    height, width = seen.shape[:2]
    reach = int(np.ceil(np.hypot(height, width))) + 2
    middle = np.array([(width - 1) / 2, (height - 1) / 2])
    found: list[_Found] = []
    for k in range(TURNS):
        angle = np.pi / 2 * k / TURNS
        cos, sin = float(np.cos(angle)), float(np.sin(angle))
        # the picture turned back, so that the squares' sides stand upright
        turned = np.array([[cos, sin, 0.0], [-sin, cos, 0.0]])
        turned[:, 2] = (reach - 1) / 2 - turned[:, :2] @ middle
        # bytes: three times as quick as floats, and the mean of a side is as exact
        upright = cv2.convertScaleAbs(cv2.addWeighted(across, FULL * cos, down, FULL * sin, 0.0))
        level = cv2.convertScaleAbs(cv2.addWeighted(down, FULL * cos, across, -FULL * sin, 0.0))
        upright, level = (cv2.warpAffine(g, turned, (reach, reach), flags=cv2.INTER_LINEAR) for g in (upright, level))
        strength = _strength(upright, level, side_px)
        peak = (strength == cv2.dilate(strength, np.ones((5, 5), np.uint8))) & (strength > STRONG)
        rows, columns = np.nonzero(peak)
        back = (np.column_stack([columns, rows]) - turned[:, 2]) @ turned[:, :2]  # a turn's inverse is its transpose
        at = np.round(back).astype(int)
        inside = ((at >= 0) & (at < (width, height))).all(1)
        inside[inside] = where[at[inside, 1], at[inside, 0]]
        strengths = strength[rows[inside], columns[inside]]
        found += [(s, k, x, y) for s, (x, y) in zip(strengths.tolist(), back[inside].tolist(), strict=True)]
    found.sort(reverse=True)
    return [Square(np.array([x, y]), 90.0 * k / TURNS, strength) for strength, k, x, y in _apart(found, side_px, most)]


def _apart(found: list[_Found], side_px: float, most: int) -> list[_Found]:
    """At most so many of the squares, which come strongest first, without those that are one with a stronger one."""
    kept: list[_Found] = []
    every = np.array([one[1:] for one in found]).reshape(-1, 3)
    left = np.arange(len(found))
    while len(left) and len(kept) < most:
        kept.append(found[left[0]])
        off = np.abs(every[left] - every[left[0]])
        near = np.hypot(off[:, 1], off[:, 2]) < NEAR_SHARE * side_px
        left = left[~(near & (np.minimum(off[:, 0], TURNS - off[:, 0]) <= NEAR_TURNS))]
    return kept


def _slopes(seen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(H, W) float32 each: slopes across and down of the channel that changes most; usual ones are small against 1."""
    smooth = cv2.GaussianBlur(seen.astype(np.float32), (0, 0), 1.0)
    across, down = (cv2.Sobel(smooth, cv2.CV_32F, dx, 1 - dx, scale=0.125) for dx in (1, 0))
    steep = np.hypot(across, down)
    most = steep.argmax(-1)[..., None]
    across, down, steep = (np.take_along_axis(g, most, axis=-1)[..., 0] for g in (across, down, steep))
    share = 1.0 / (steep + ROUGH * float(np.median(steep)) + LEAST_SLOPE)
    return across * share, down * share


def _strength(upright: np.ndarray, level: np.ndarray, side_px: float) -> np.ndarray:
    """(H, W) float32 mean of the three strongest sides of an upright square around each pixel; 0 near the rim.

    `upright`, `level` (H, W) uint8: slopes across and along such sides, FULL where one is steepest.
    """
    length = int(side_px * SIDE_SHARE) | 1
    half = round(side_px / 2)
    loose = np.ones((1, LOOSE_PX), np.uint8)
    left_right = cv2.boxFilter(cv2.dilate(upright, loose), cv2.CV_32F, (1, length))
    top_bottom = cv2.boxFilter(cv2.dilate(level, loose.T), cv2.CV_32F, (length, 1))
    out = np.zeros(upright.shape, np.float32)
    if min(out.shape) <= 2 * half:
        return out
    inner = slice(half, -half)
    left, right = left_right[inner, : -2 * half], left_right[inner, 2 * half :]
    top, bottom = top_bottom[: -2 * half, inner], top_bottom[2 * half :, inner]
    weakest = cv2.min(cv2.min(left, right), cv2.min(top, bottom))
    every = cv2.add(cv2.add(left, right), cv2.add(top, bottom))
    out[inner, inner] = cv2.addWeighted(every, 1 / (3 * FULL), weakest, -1 / (3 * FULL), 0.0)
    return out
