"""Counts the coins that lie side by side in a purse: round rims of known widths, whatever is printed within them.

What is printed on coins differs from box to box and need not be learnt. What differs from the bare table around and is
explained by no coin, such as coins below others, other things and arms, leaves the sum open.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.core.layout import Coin
from vision.count.discs.edges import find_edges
from vision.count.discs.rims import find_discs
from vision.count.table.ground import to_lab
from vision.view.arms.nearest import nearest_squares
from vision.view.arms.rim import soft_lab

PX_PER_MM = 1.6  # about what a camera that has a whole table in view gives

# Around a purse there is so much bare table, which tells what lies on the table from the table.
AROUND_MM = 14.0
SAMPLES = 60

# CIELAB, lightness at half weight, by which a thing differs from all of the table around: more than noise, and more
# than nearly all of that table differs from the samples of it.
ODD_LAB, ODD_TIMES_VARIETY, USUAL_SHARE = 4.0, 1.5, 0.99

# A plain table: nine tenths of it differ by so much at most; wood has 5. What differs by so many times as much is a
# thing.
MOSTLY, PLAIN_LAB, STRAY = 0.9, 3.5, 2.5

# The edge of a thing is where half of its own difference from the table is left: colours run further than light.
EDGE_SHARE = 0.5

# What is smaller than this is noise and grain of the table, mm2: a twenty-fifth of a small coin.
SPECK_MM2 = 10.0

# So much of a rim is a sharp edge: coins in rendered purses had 0.7 and more, most 0.9, and grain of a noisy picture
# up to 0.69; a coin with less is told by its outline or not at all.
RIM_SHARE = 0.7

# A coin is seen somewhat wider than it is: soft edges, and one 1.6 mm high leans outwards by half of it (mm). Around
# that its width may be off by a share of it; coins of 18 and 25 mm differ by 33 %.
WIDER_MM, WIDTH_SHARE = 1.0, 0.08

# The smallest print that is looked for in a coin, and the widest rim, as parts of a coin's own radius.
PRINT_SHARE, MOST_SHARE = 0.7, 1.15

# A rim with the same middle as a larger coin's, up to so much of its radius, is print on that coin.
SAME_MIDDLE = 0.25

# Coins of one purse lie so far apart at least, as a part of the sum of their radii: side by side, with what errs.
APART = 0.9

# Part of an outline that the discs in it may leave open, or lie beyond.
LEFT_SHARE = 0.15

# A coin of which less than this differs from the table below it is told by its rim alone, and another one may show too
# little of its own.
SEEN_SHARE = 0.5

# How far beyond its rim a coin explains what is seen: its soft edge, its lean and its shadow.
EDGE_MM = 1.6


def things(seen_bgr: np.ndarray) -> np.ndarray:
    """(H, W) bool: what lies on the table in a purse that is seen from above, (H, W, 3) uint8 BGR, with the bare table
    around it."""
    lab = soft_lab(seen_bgr)
    inset = round(AROUND_MM * PX_PER_MM)
    around = np.ones(lab.shape[:2], bool)
    around[inset:-inset, inset:-inset] = False
    table = plain_table(lab, around, PLAIN_LAB)
    return is_thing(lab, around if table is None else table)


def plain_table(lab: np.ndarray, around: np.ndarray, plain_lab: float) -> np.ndarray | None:
    """(H, W) bool: of what lies `around` (H, W) bool a purse in a view (H, W, 3) Lab the table, without the parts of
    coins that reach into it: what they look like would be no thing. None where the table is not plain: more than a
    tenth of it differs by `plain_lab`, CIELAB, lightness at half weight."""
    off = np.linalg.norm(lab - np.median(lab[around], axis=0), axis=2)
    usual = float(np.quantile(off[around], MOSTLY))
    return None if usual > plain_lab else around & (off <= STRAY * max(usual, ODD_LAB / STRAY))


def is_thing(lab: np.ndarray, around: np.ndarray) -> np.ndarray:
    """(H, W) bool: what in a view (H, W, 3) Lab has another colour than the table, seen in `around` (H, W) bool."""
    ring = lab[around]
    samples = ring[:: max(1, len(ring) // SAMPLES)]
    odd = np.sqrt(nearest_squares(lab.reshape(-1, 3), samples)).reshape(around.shape)
    strange = (odd > max(ODD_LAB, ODD_TIMES_VARIETY * float(np.quantile(odd[around], USUAL_SHARE)))).astype(np.uint8)
    count, regions, boxes, _ = cv2.connectedComponentsWithStats(strange)
    for number in range(1, count):
        x, y, width, height = boxes[number, :4].tolist()
        box = (slice(y, y + height), slice(x, x + width))
        here = regions[box] == number
        strange[box][here & (odd[box] <= EDGE_SHARE * np.median(odd[box][here]))] = 0
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))
    return np.asarray(cv2.morphologyEx(strange, cv2.MORPH_OPEN, kernel)).astype(bool)


@dataclass(frozen=True, slots=True, eq=False)
class _Lying:
    """A coin in a purse: its middle (2,) and radius, px, and what it is worth."""

    xy: np.ndarray
    radius: float
    value: int

    def covers(self, xy: np.ndarray) -> bool:
        return bool(np.linalg.norm(xy - self.xy) < self.radius)

    def overlaps(self, other: _Lying) -> bool:
        return bool(np.linalg.norm(other.xy - self.xy) < APART * (self.radius + other.radius))

    def is_again(self, other: _Lying) -> bool:
        """Whether it is the same coin."""
        return self.value == other.value and bool(np.linalg.norm(other.xy - self.xy) < SAME_MIDDLE * other.radius)

    def is_within(self, other: _Lying) -> bool:
        """Whether it is print on a larger coin."""
        near = np.linalg.norm(other.xy - self.xy) < SAME_MIDDLE * other.radius
        return bool(near) and other.radius > (1 + WIDTH_SHARE) * self.radius


def sum_of_coins(seen_bgr: np.ndarray, coins: Sequence[Coin]) -> int | None:
    """What the coins come to in a purse that is seen from above, (H, W, 3) uint8 BGR, with the bare table around it;
    None where not all that lies there is told."""
    radii = [coin.width_mm / 2 * PX_PER_MM for coin in coins]
    rims = find_discs(find_edges(to_lab(seen_bgr)), (PRINT_SHARE * min(radii), MOST_SHARE * max(radii)), RIM_SHARE)
    widths = [(number, coin_of(2 * float(rims.radius[number]) / PX_PER_MM, coins)) for number in range(len(rims))]
    named = [(float(rims.support[k]), _Lying(rims.xy[k], float(rims.radius[k]), c.value)) for k, c in widths if c]
    found: list[_Lying] = []
    for _, one in sorted(named, key=lambda pair: -pair[0]):
        if not any(one.is_within(other) for _, other in named) and not any(one.overlaps(other) for other in found):
            found.append(one)
    lying = things(seen_bgr).astype(np.uint8)
    if is_cut(lying):
        return None  # an arm, or what lies half outside
    outlines, _ = cv2.findContours(_left_of(lying, found), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if outlines:  # coins whose rims are not sharp all around, or are not seen for what is printed on them
        whole, _ = cv2.findContours(lying, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        for one in (coin for outline in whole for coin in _coins_in(outline, coins)):
            found = [other for other in found if not (other.is_within(one) or other.is_again(one))]
            if not any(one.overlaps(other) for other in found):
                found.append(one)
    if not all(any(coin.covers(xy) for coin in found) for xy in rims.xy):
        return None  # the print of a coin whose rim is not seen, or another round thing
    inset = AROUND_MM * PX_PER_MM
    if not all((coin.xy >= inset).all() and (coin.xy < np.array(lying.shape[::-1]) - inset).all() for coin in found):
        return None  # nobody knows whose it is
    if any(_share_of(lying, coin) < SEEN_SHARE for coin in found):
        return None  # coins that hardly differ from the table: nobody knows that all are seen
    return None if _left_of(lying, found).any() else sum(coin.value for coin in found)


def _share_of(lying: np.ndarray, coin: _Lying) -> float:
    """The part of a coin that is one of the things (H, W) uint8."""
    disc = np.zeros_like(lying)
    x, y = np.round(coin.xy).astype(int).tolist()
    cv2.circle(disc, (x, y), round(coin.radius), 1, -1)
    return float(lying[disc > 0].mean())


def is_cut(lying: np.ndarray) -> bool:
    """Whether a thing of (H, W) uint8 goes on beyond what is seen, noise left out."""
    _, regions, sizes, _ = cv2.connectedComponentsWithStats(lying)
    at_edge = np.unique(np.concatenate([regions[0], regions[-1], regions[:, 0], regions[:, -1]]))
    return bool((sizes[at_edge[at_edge > 0], cv2.CC_STAT_AREA] > SPECK_MM2 * PX_PER_MM**2).any())


def _left_of(lying: np.ndarray, found: Sequence[_Lying]) -> np.ndarray:
    """(H, W) uint8: what of the things (H, W) uint8 no coin explains, but for specks."""
    left = lying.copy()
    for coin in found:
        x, y = np.round(coin.xy).astype(int).tolist()
        cv2.circle(left, (x, y), round(coin.radius + EDGE_MM * PX_PER_MM), 0, -1)
    return without_specks(left)


def without_specks(mask: np.ndarray) -> np.ndarray:
    """(H, W) uint8: what of a mask (H, W) uint8 is more than noise and grain of the table."""
    _, regions, sizes, _ = cv2.connectedComponentsWithStats(mask)
    large = sizes[:, cv2.CC_STAT_AREA] > SPECK_MM2 * PX_PER_MM**2
    return np.asarray(mask * large[regions]).astype(np.uint8)


def _coins_in(outline: np.ndarray, coins: Sequence[Coin]) -> list[_Lying]:
    """The coins side by side that fill an outline (N, 1, 2) px; none where they do not: the largest disc that fits into
    it, then the next."""
    x, y, width, height = cv2.boundingRect(outline)
    left = np.zeros((height + 2, width + 2), np.uint8)
    cv2.drawContours(left, [outline - (x - 1, y - 1)], -1, 1, -1)
    area, out = int(np.count_nonzero(left)), list[_Lying]()
    while True:
        depth = cv2.distanceTransform(left, cv2.DIST_L2, 5)
        _, radius, _, middle = cv2.minMaxLoc(depth)
        if radius < PRINT_SHARE / 2 * min(coin.width_mm for coin in coins) * PX_PER_MM:
            break
        coin = coin_of(2 * radius / PX_PER_MM, coins)
        if coin is None:
            return []
        out.append(_Lying(np.array([middle[0] + x - 1, middle[1] + y - 1]), radius, coin.value))
        cv2.circle(left, middle, round(radius + EDGE_MM * PX_PER_MM), 0, -1)
    discs = sum(np.pi * coin.radius**2 for coin in out)
    return out if abs(area - discs) <= LEFT_SHARE * area and np.count_nonzero(left) <= LEFT_SHARE * area else []


def coin_of(width_mm: float, coins: Sequence[Coin]) -> Coin | None:
    """The coin that looks so wide; None where none does."""
    fits = {abs(width_mm / (coin.width_mm + WIDER_MM) - 1.0): coin for coin in coins}
    return fits[min(fits)] if min(fits) <= WIDTH_SHARE else None


def only_coin_of(width_mm: float, coins: Sequence[Coin], share: float) -> Coin | None:
    """The coin that looks so wide but for a `share` of it; None where none does, or two may."""
    fits = [coin for coin in coins if abs(width_mm / (coin.width_mm + WIDER_MM) - 1.0) <= share]
    return fits[0] if len(fits) == 1 else None
