"""Counts the coins that lie side by side in a purse: discs of known widths on bare table, told by their outlines alone.

What is printed on coins differs from box to box and need not be learnt. Coins that lie on each other, what is no coin,
and an arm leave outlines that no discs side by side have: of such a purse nothing is said.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from companion.core.layout import Coin, SlotOutline
from vision.locate.pose import TablePose
from vision.locate.rectify import rectify
from vision.locate.zones import in_picture
from vision.view.rim import soft_lab

PX_PER_MM = 1.6  # about what a camera that has a whole table in view gives

# Around a purse there is so much bare table, which tells what lies on the table from the table.
AROUND_MM = 14.0
SAMPLES = 60

# CIELAB, lightness at half weight, by which a thing differs from all of the table around: more than noise, and more
# than nearly all of that table differs from the samples of it.
ODD_LAB, ODD_TIMES_VARIETY, USUAL_SHARE = 4.0, 1.5, 0.99

# The edge of a thing is where half of its own difference from the table is left: colours run further than light.
EDGE_SHARE = 0.5

# What is smaller than this is noise and grain of the table, mm2: a twenty-fifth of a small coin.
SPECK_MM2 = 10.0

# A disc's radius is measured from its innermost px: edges are soft, and a coin 1.6 mm high leans outwards by half of
# it. Coins of 18 and 25 mm differ by 33 %.
RADIUS_SHARE = 0.13

# Part of an outline that discs may leave open or lie beyond.
LEFT_SHARE = 0.1

# How far beyond its own edge a disc explains what is seen: its soft edge, its lean and its shadow.
EDGE_MM = 1.6

# A purse of which every outline is explained is right so often: see the figures of docs/measured/spyrium.md.
PURSE_P = 0.98


def read_purse(image: np.ndarray, pose: TablePose, purse: SlotOutline, coins: Sequence[Coin]) -> int | None:
    """What the coins in a purse of the picture (H, W, 3) uint8 BGR come to; None where that cannot be told."""
    corners = np.array(purse.corners_mm)
    (left, top), (right, bottom) = corners.min(0) - AROUND_MM, corners.max(0) + AROUND_MM
    window_mm = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
    if not in_picture(image, pose, window_mm):
        return None
    size = (round((right - left) * PX_PER_MM), round((bottom - top) * PX_PER_MM))
    return sum_of_coins(things(rectify(image, pose, window_mm, 0.0, size)), coins)


def things(seen_bgr: np.ndarray) -> np.ndarray:
    """(H, W) bool: what lies on the table in a purse that is seen from above, (H, W, 3) uint8 BGR, with the bare table
    around it."""
    lab = soft_lab(seen_bgr)
    inset = round(AROUND_MM * PX_PER_MM)
    around = np.ones(lab.shape[:2], bool)
    around[inset:-inset, inset:-inset] = False
    ring = lab[around]
    odd = _apart(lab.reshape(-1, 3), ring[:: max(1, len(ring) // SAMPLES)]).reshape(around.shape)
    strange = (odd > max(ODD_LAB, ODD_TIMES_VARIETY * float(np.quantile(odd[around], USUAL_SHARE)))).astype(np.uint8)
    count, regions, boxes, _ = cv2.connectedComponentsWithStats(strange)
    for number in range(1, count):
        x, y, width, height = boxes[number, :4].tolist()
        box = (slice(y, y + height), slice(x, x + width))
        here = regions[box] == number
        strange[box][here & (odd[box] <= EDGE_SHARE * np.median(odd[box][here]))] = 0
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))
    return np.asarray(cv2.morphologyEx(strange, cv2.MORPH_OPEN, kernel)).astype(bool)


def _apart(colours: np.ndarray, samples: np.ndarray) -> np.ndarray:
    """(N,) how far each of the colours (N, 3) float32 is from the nearest of the samples (M, 3)."""
    beyond = np.column_stack([-2 * samples, (samples**2).sum(axis=1)]).astype(np.float32)
    with_one = np.vstack([colours.T, np.ones(len(colours), np.float32)])
    unlike = (beyond @ with_one).min(axis=0)  # by rows: the least of many short rows takes ten times as long
    return np.asarray(np.sqrt(np.maximum(unlike + (colours**2).sum(axis=1), 0.0)))


def sum_of_coins(lying: np.ndarray, coins: Sequence[Coin]) -> int | None:
    """What the coins come to whose outlines `lying` (H, W) bool, PX_PER_MM, shows; None where it shows others."""
    outlines, _ = cv2.findContours(lying.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    total = 0
    for outline in outlines:
        x, y, width, height = cv2.boundingRect(outline)
        filled = np.zeros((height + 2, width + 2), np.uint8)
        cv2.drawContours(filled, [outline - (x - 1, y - 1)], -1, 1, -1)
        if np.count_nonzero(filled) < SPECK_MM2 * PX_PER_MM**2:
            continue
        inside = x > 0 and y > 0 and x + width < lying.shape[1] and y + height < lying.shape[0]
        here = _coins_of(filled, coins) if inside else None
        if here is None:
            return None
        total += here
    return total


def _coins_of(filled: np.ndarray, coins: Sequence[Coin]) -> int | None:
    """What the coins of one outline (H, W) uint8 come to: the largest disc that fits into it, then the next."""
    area, left = int(np.count_nonzero(filled)), filled.copy()
    smallest = min(coin.width_mm for coin in coins) / 2 * PX_PER_MM
    total, discs = 0, 0.0
    while True:
        depth = cv2.distanceTransform(left, cv2.DIST_L2, 5)
        _, radius, _, middle = cv2.minMaxLoc(depth)
        if radius < smallest / 2:
            break
        coin = min(coins, key=lambda coin: abs(coin.width_mm / 2 * PX_PER_MM - radius))
        usual = coin.width_mm / 2 * PX_PER_MM
        if abs(radius - usual) > RADIUS_SHARE * usual:
            return None
        cv2.circle(left, middle, round(usual + EDGE_MM * PX_PER_MM), 0, -1)
        total, discs = total + coin.value, discs + np.pi * usual**2
    rest = int(np.count_nonzero(left))
    explained = rest <= LEFT_SHARE * area and abs(area - discs) <= 2 * LEFT_SHARE * area
    return total if total and explained else None
