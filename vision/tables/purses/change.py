"""Tells by how much a purse has changed since an earlier look at it, from the coins that came and went.

The table does not move: whatever it looks like, what differs from the earlier look is a coin that was laid or taken. So
coins are told that can hardly be seen on a patterned cloth, and those that nobody has touched need not be.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.core.layout import Coin
from vision.count.discs.edges import NEIGHBOURS_PX, Edges, find_edges
from vision.count.discs.rims import CELL_PX, Discs, find_discs
from vision.count.table.ground import to_lab
from vision.tables.changes import FINE_PX, Changes
from vision.tables.purses.coins import (
    AROUND_MM,
    EDGE_MM,
    MOST_SHARE,
    PRINT_SHARE,
    PX_PER_MM,
    WIDER_MM,
    coin_of,
    without_specks,
)
from vision.view.arms.rim import soft_lab

# So much of a rim is a sharp edge where something has changed: of the coin, or printed on it. A rim of which more than
# the second is seen may be the coin's own, and says that it is no narrower one.
RIM_SHARE, HINT_SHARE = 0.5, 0.4

# So much more of a rim is seen where the coin lies than where it does not.
MORE_SHARE = 0.3

# An edge of what has changed lies so far beside it at most, px.
BESIDE_PX = 2

# What lies so far away, px, tells whether there is an edge: half of the square of its neighbours, and what these are
# blurred from.
EDGE_REACH_PX = NEIGHBOURS_PX // 2 + 6

# Rims with middles nearer to each other than this, as a part of the narrowest coin's width, are those of one coin:
# coins lie side by side.
ONE_COIN = 1 / 2

# Of the strip by which a coin is wider than the next one so much has changed if it is the wider one, and so much if it
# is not; where less of the strip is free of other coins it tells nothing.
STRIP_CHANGED, STRIP_SAME, STRIP_FREE = 0.6, 0.3, 0.4

# CIELAB, lightness at half weight, by which the strip as a whole differs between the looks at least if the wider coin
# lies there in one. A pixel that changes little is noise, all of the strip is not: of rendered coins the narrow ones
# made 0.2 to 3.5 of it, gold ones on brown wood and all others 13 to 37.
STRIP_CHANGED_LAB = 8.0

# The table up to so far beyond a coin's rim tells what its light has changed by.
BEYOND_MM = 8.0

# How far beyond its rim a coin explains a change: its soft edge, its lean and its shadow, and what comparing means of
# so many pixels adds.
REACH_MM = EDGE_MM + FINE_PX / 2 / PX_PER_MM

# Part of a coin that differs from the table below it at least: its print, even where it has the table's own colour.
CHANGED_SHARE = 0.25


@dataclass(frozen=True, slots=True, eq=False)
class _Moved:
    """Where a coin came or went: its middle (2,) px, and the widest rims around it that are surely and perhaps seen,
    mm. `came`: whether it lies there in the later look."""

    xy: np.ndarray
    rim_mm: float
    hint_mm: float
    came: bool


def change_of_purse(
    before_bgr: np.ndarray, now_bgr: np.ndarray, changes: Changes, coins: Sequence[Coin]
) -> int | None:
    """By how much the sum of the coins differs between two looks (H, W, 3) uint8 BGR at a purse from above, with the
    bare table around it; None where not all that has changed is told."""
    if not changes.gain:
        return None  # these two cannot be compared
    changed = without_specks(changes.changed)
    if not changed.any():
        return 0
    kinds = sorted(coins, key=lambda coin: coin.width_mm)
    part = _around(changed, MOST_SHARE / 2 * kinds[-1].width_mm * PX_PER_MM)
    found = _moved(to_lab(before_bgr[part]), to_lab(now_bgr[part]), changed[part], kinds)
    if found is None:
        return None
    corner = np.array([part[1].start, part[0].start])
    moved = [replace(one, xy=one.xy + corner) for one in found]
    inset, size = AROUND_MM * PX_PER_MM, np.array(changed.shape[::-1])
    if not all((one.xy >= inset).all() and (one.xy < size - inset).all() for one in moved):
        return None  # nobody knows whose it is
    left, total = changed.copy(), 0
    difference_lab = soft_lab(now_bgr) - soft_lab(before_bgr)
    for one in moved:
        coin = _coin(one, [other for other in moved if other is not one], changed, difference_lab, kinds)
        if coin is None:
            return None
        cv2.circle(left, _at(one), _px(coin.width_mm + WIDER_MM, REACH_MM), 0, -1)
        total += coin.value if one.came else -coin.value
    return None if without_specks(left).any() else total


def _around(changed: np.ndarray, radius_px: float) -> tuple[slice, slice]:
    """The rows and columns of (H, W) uint8 in which edges of what has changed, and the middles of rims through them,
    are found as in the whole picture."""
    reach = BESIDE_PX + max(int(np.ceil(radius_px)) + CELL_PX, EDGE_REACH_PX)
    x, y, width, height = cv2.boundingRect(changed)
    top, left = (max(0, first - reach) // CELL_PX * CELL_PX for first in (y, x))
    return slice(top, min(len(changed), y + height + reach)), slice(left, min(changed.shape[1], x + width + reach))


def _moved(
    before_lab: np.ndarray, now_lab: np.ndarray, changed: np.ndarray, kinds: Sequence[Coin]
) -> list[_Moved] | None:
    """Where coins came or went, by their rims and prints in one of two looks (H, W, 3) Lab where something has changed
    (H, W) uint8; None where both show one in the same place."""
    before, now = _rims(before_lab, changed, kinds), _rims(now_lab, changed, kinds)
    out: list[_Moved] = []
    for rims, others, came in ((before, now, False), (now, before, True)):
        widths, here = 2 * rims.radius / PX_PER_MM, list[_Moved]()
        for number in np.argsort(-rims.support).tolist():
            xy = rims.xy[number]
            if rims.support[number] < RIM_SHARE or any(_is_one(one.xy, xy, kinds) for one in here):
                continue
            if rims.support[number] - _seen(others, xy, kinds) < MORE_SHARE:
                return None
            around = np.array([_is_one(xy, other, kinds) for other in rims.xy])
            sure = around & (rims.support >= RIM_SHARE)
            here.append(_Moved(xy, float(widths[sure].max()), float(widths[around].max()), came))
        out += here
    return out


def _rims(lab: np.ndarray, changed: np.ndarray, kinds: Sequence[Coin]) -> Discs:
    """Round outlines of (H, W, 3) Lab where something has changed."""
    edges = find_edges(lab)
    near = cv2.dilate(changed, np.ones((2 * BESIDE_PX + 1,) * 2, np.uint8)).astype(bool)
    radii = (PRINT_SHARE / 2 * kinds[0].width_mm * PX_PER_MM, MOST_SHARE / 2 * kinds[-1].width_mm * PX_PER_MM)
    return find_discs(Edges(edges.on & near, edges.normal), radii, HINT_SHARE)


def _seen(rims: Discs, xy: np.ndarray, kinds: Sequence[Coin]) -> float:
    """How much is seen of the clearest rim around a place (2,) px; 0 where none is."""
    return max((float(rims.support[k]) for k in range(len(rims)) if _is_one(rims.xy[k], xy, kinds)), default=0.0)


def _is_one(xy: np.ndarray, other: np.ndarray, kinds: Sequence[Coin]) -> bool:
    return bool(np.linalg.norm(xy - other) < ONE_COIN * kinds[0].width_mm * PX_PER_MM)


def _coin(
    one: _Moved, others: Sequence[_Moved], changed: np.ndarray, difference_lab: np.ndarray, kinds: Sequence[Coin]
) -> Coin | None:
    """Which coin it is, by its rim or by how far the change, (H, W) uint8 and (H, W, 3) Lab, reaches; None where
    neither tells. A rim may be printed on a wider coin: where that would lie nothing has changed."""
    named = coin_of(one.rim_mm, kinds)
    hinted = coin_of(one.hint_mm, kinds)
    free = np.ones_like(changed)
    for other in others:
        cv2.circle(free, _at(other), _px(max(other.rim_mm, kinds[0].width_mm) + WIDER_MM, EDGE_MM), 0, -1)
    for narrower, coin in reversed(list(zip([None, *kinds], kinds, strict=False))):
        disc = _disc(changed.shape, one, coin.width_mm / 2)
        filled = cv2.countNonZero(changed & disc) >= CHANGED_SHARE * cv2.countNonZero(disc)
        if narrower is None:
            return coin if filled and (named or hinted or coin) is coin else None
        strip = disc & ~_disc(changed.shape, one, (narrower.width_mm + WIDER_MM) / 2 + EDGE_MM)
        seen = cv2.countNonZero(strip & free)
        tells = seen >= STRIP_FREE * cv2.countNonZero(strip)
        share = cv2.countNonZero(strip & free & changed) / max(1, seen)
        near = _disc(changed.shape, one, coin.width_mm / 2 + REACH_MM)
        beyond = _disc(changed.shape, one, coin.width_mm / 2 + BEYOND_MM) & ~near
        differs = _differs(difference_lab, strip & free, beyond & free & (1 - changed)) if tells and seen else 0.0
        if named is coin or (tells and (share >= STRIP_CHANGED or differs >= STRIP_CHANGED_LAB)):
            return coin if filled else None
        if hinted is coin or (named is not narrower and (share > STRIP_SAME or not tells)):
            return None
    return None


def _differs(difference_lab: np.ndarray, strip: np.ndarray, beyond: np.ndarray) -> float:
    """By how much more than the table `beyond` it a strip (H, W) uint8 as a whole differs between two looks, of which
    (H, W, 3) Lab is the difference; 0 where no table is seen beyond it."""
    if not beyond.any():
        return 0.0
    here, table = (np.median(difference_lab[part.astype(bool)], axis=0) for part in (strip, beyond))
    return float(np.linalg.norm(here - table))


def _disc(shape: tuple[int, ...], one: _Moved, radius_mm: float) -> np.ndarray:
    out = np.zeros(shape, np.uint8)
    cv2.circle(out, _at(one), round(radius_mm * PX_PER_MM), 1, -1)
    return out


def _at(one: _Moved) -> tuple[int, int]:
    x, y = np.round(one.xy).astype(int).tolist()
    return x, y


def _px(width_mm: float, beyond_mm: float) -> int:
    return round((width_mm / 2 + beyond_mm) * PX_PER_MM)
