"""Counts coins on a plain table whose rims are no sharp edges: blurred, burnt out, or in a noisy picture.

Seen half as large a camera's noise is half as strong. A coin is then round, of one colour all along its rim, and the
table just outside of that has another; what is printed within says nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.core.layout import Coin
from vision.count.discs.edges import find_edges
from vision.count.discs.rims import find_discs
from vision.tables.purses.coins import (
    AROUND_MM,
    EDGE_MM,
    MOST_SHARE,
    PRINT_SHARE,
    RIM_SHARE,
    WIDER_MM,
    is_thing,
    only_coin_of,
    plain_table,
)
from vision.tables.purses.half_size import SCALE, half
from vision.view.arms.rim import soft_lab

ANGLES = 24  # places along a rim that are looked at
# Inside and outside of a rim are so far from it, px: what a softened edge is blurred over.
BESIDE_PX = 1.3
# Radii are tried in such steps, px, from a part of the narrowest coin's to a part of the widest one's; and middles up
# to so far beside the deepest place of a thing.
STEP_PX, LEAST_PART, MOST_PART, ASTRAY_PX = 0.4, 0.75, 1.25, 3

# A coin shows its edge at so much of its rim, by such a part of what the clearest rim there does; what may be a coin at
# so much. Coins that touch hide three places from each other at most, a square thing four at its corners.
EDGE_SHARE, EDGE_PART = 0.87, 1 / 3
HINT_SHARE, HINT_PART = 0.8, 1 / 4

# A coin that is burnt out or blurred looks so much wider at most, as a part of its width; between the widest narrow
# coin and the narrowest wide one nothing is told.
WIDTH_SHARE = 0.12

# Nine tenths of a plain table differ by so much at most, CIELAB: most of it noise.
PLAIN_LAB = 8.0

# Nothing so wide (mm) is left unexplained: shadows beside coins and noise are narrower, half a coin is not.
LEFT_MM = 6.0

# Of a strip so wide (mm) around a coin so much is unlike the table at most: its shadow.
STRIP_MM, STRIP_SHARE = 1.5, 0.4

# A coin differs from the table by so much at least, CIELAB, lightness at half weight, if that is to be seen at all; and
# of places that differ so from what is around them so many are looked at.
LEAST_LAB, MOST_TRIED = 1.5, 6

# Part of a coin that is unlike the table at least.
COIN_SHARE = 0.75


@dataclass(frozen=True, slots=True, eq=False)
class _Rim:
    """A round thing: its middle (2,) and radius, px of the half as large picture."""

    xy: np.ndarray
    radius: float


def sum_by_contrast(seen_bgr: np.ndarray, coins: Sequence[Coin]) -> int | None:
    """What the coins come to in a purse that is seen from above, (H, W, 3) uint8 BGR, with the bare table around it;
    None where not all that differs from the table is a coin, or none is seen."""
    lab = soft_lab(half(seen_bgr))
    inset = round(AROUND_MM * SCALE)
    around = np.ones(lab.shape[:2], bool)
    around[inset:-inset, inset:-inset] = False
    table = plain_table(lab, around, PLAIN_LAB)
    if table is None:
        return None
    lying = is_thing(lab, table).astype(np.uint8)
    found = _rims(lab, lying, coins)
    total = 0
    for one in found:
        coin = only_coin_of(2 * one.radius / SCALE, coins, WIDTH_SHARE)
        inside = (one.xy >= inset).all() and (one.xy < np.array(lying.shape[::-1]) - inset).all()
        if coin is None or not inside or lying[_discs(lying.shape, [one], 0.0) > 0].mean() < COIN_SHARE:
            return None
        total += coin.value
    explained = _discs(lying.shape, found, EDGE_MM * SCALE) > 0
    lying[explained] = 0
    if any(_goes_on(lying, explained, one) for one in found):
        return None
    left = cv2.distanceTransform(lying, cv2.DIST_L2, cv2.DIST_MASK_PRECISE).max() >= LEFT_MM / 2 * SCALE
    return None if not found or left or _is_another(lab, explained, coins) else total


def _goes_on(left: np.ndarray, explained: np.ndarray, one: _Rim) -> bool:
    """Whether a thing goes on beyond a rim, which then is print on a wider coin; `left` (H, W) uint8: of all things."""
    around = (_discs(left.shape, [one], (EDGE_MM + STRIP_MM) * SCALE) > 0) & ~explained
    return bool(left[around].mean() > STRIP_SHARE) if around.any() else False


def _is_another(lab: np.ndarray, explained: np.ndarray, coins: Sequence[Coin]) -> bool:
    """Whether a coin's rim is seen in a picture (H, W, 3) Lab beside what is `explained` (H, W) bool: one that hardly
    differs from the table is none of the things on it."""
    radii = [coin.width_mm / 2 * SCALE for coin in coins]
    rims = find_discs(find_edges(lab), (PRINT_SHARE * min(radii), MOST_SHARE * max(radii)), RIM_SHARE)
    places = np.round(rims.xy).astype(int).clip(0, np.array(explained.shape[::-1]) - 1)
    if not explained[places[:, 1], places[:, 0]].all():
        return True
    for coin in coins:
        radius = (coin.width_mm + WIDER_MM) / 2 * SCALE
        apart = np.linalg.norm(_mean(lab, 0.0, 0.9 * radius) - _mean(lab, 1.1 * radius, 1.4 * radius), axis=2)
        apart[cv2.dilate(explained.astype(np.uint8), _disc(radius)) > 0] = 0.0
        for _ in range(MOST_TRIED):
            _, highest, _, (x, y) = cv2.minMaxLoc(apart)
            if highest < LEAST_LAB:
                break
            clear = _clearest(lab, np.array([x, y], np.float32), coins, HINT_SHARE, HINT_PART)
            if clear is not None and clear[0] >= LEAST_LAB:
                return True
            cv2.circle(apart, (x, y), round(radius), 0.0, -1)
    return False


def _mean(lab: np.ndarray, least_px: float, most_px: float) -> np.ndarray:
    """(H, W, 3): the means of a picture over the ring between two radii around each place."""
    reach = int(np.ceil(most_px))
    rows, columns = np.indices((2 * reach + 1,) * 2) - reach
    away = np.hypot(rows, columns)
    ring = ((away >= least_px) & (away <= most_px)).astype(np.float32)
    return np.asarray(cv2.filter2D(lab, -1, ring / ring.sum()))


def shows_a_rim(seen_bgr: np.ndarray, coins: Sequence[Coin]) -> bool:
    """Whether a coin's rim is seen in a purse that is seen from above, (H, W, 3) uint8 BGR."""
    lab = soft_lab(half(seen_bgr))
    return _is_another(lab, np.zeros(lab.shape[:2], bool), coins)


def _rims(lab: np.ndarray, lying: np.ndarray, coins: Sequence[Coin]) -> list[_Rim]:
    """The round things of a picture (H, W, 3) Lab, the clearest first, where something lies (H, W) uint8."""
    narrowest = min(coin.width_mm for coin in coins)
    depth = cv2.distanceTransform(lying, cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    top = (depth >= cv2.dilate(depth, np.ones((5, 5)))) & (depth > LEAST_PART / 2 * LEAST_PART * narrowest * SCALE)
    rows, columns = np.nonzero(top)
    places = np.stack([columns, rows], axis=1).astype(np.float32)
    clear = [seen for place in places if (seen := _clearest(lab, place, coins)) is not None]
    found: list[_Rim] = []
    for _, one in sorted(clear, key=lambda pair: -pair[0]):
        if all(np.linalg.norm(one.xy - other.xy) >= 0.9 * (one.radius + other.radius) for other in found):
            found.append(one)
    return found


def _clearest(
    lab: np.ndarray, place: np.ndarray, coins: Sequence[Coin], least_share: float = EDGE_SHARE,
    part: float = EDGE_PART,
) -> tuple[float, _Rim] | None:
    """The widest clear rim around about a place (2,) px, and how clear it is; None where none shows its edge at
    `least_share` of it, by a `part` of what the clearest there does at least."""
    widths = [(coin.width_mm + WIDER_MM) * SCALE for coin in coins]
    radii = np.arange(LEAST_PART * min(widths) / 2, MOST_PART * max(widths) / 2, STEP_PX)
    beside = np.arange(-ASTRAY_PX, ASTRAY_PX + 1, dtype=np.float32)
    middles = place + np.stack(np.meshgrid(beside, beside), axis=-1).reshape(-1, 2)
    inner, outer = (_along(lab, middles, radii + way) for way in (-BESIDE_PX, BESIDE_PX))
    colour = np.median(inner, axis=2, keepdims=True)
    apart = np.linalg.norm(outer - colour, axis=-1) - np.linalg.norm(inner - colour, axis=-1)
    edge = np.sort(apart, axis=2)[:, :, ANGLES // 4 :].mean(axis=2)  # (middles, radii)
    share = (apart > part * edge.max()).mean(axis=2)
    edge = np.where(share >= least_share, edge, 0.0)
    best = edge.max(axis=0)
    if not best.any():
        return None
    # print lies within a coin: of rims half as clear as the clearest the widest is the coin's own
    peaks = np.flatnonzero((best >= best.max() / 2) & (best >= cv2.dilate(best[:, None], np.ones((3, 1)))[:, 0]))
    number = int(peaks.max())
    return float(best[number]), _Rim(middles[int(edge[:, number].argmax())], float(radii[number]))


def _along(lab: np.ndarray, middles: np.ndarray, radii: np.ndarray) -> np.ndarray:
    """(N, R, ANGLES, 3): the colours of a picture (H, W, 3) along circles around middles (N, 2) with radii (R,)."""
    angles = np.arange(ANGLES) * (2 * np.pi / ANGLES)
    x, y = (
        (middles[:, axis, None, None] + radii[None, :, None] * way(angles)).astype(np.float32)
        for axis, way in ((0, np.cos), (1, np.sin))
    )
    flat = cv2.remap(lab, x.reshape(len(middles), -1), y.reshape(len(middles), -1), cv2.INTER_LINEAR,
                     borderMode=cv2.BORDER_REPLICATE)  # fmt: skip
    return np.asarray(flat.reshape(*x.shape, 3))


def _disc(radius_px: float) -> np.ndarray:
    side = 2 * round(radius_px) + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)))


def _discs(shape: tuple[int, ...], rims: Sequence[_Rim], beyond_px: float) -> np.ndarray:
    out = np.zeros(shape[:2], np.uint8)
    for one in rims:
        x, y = np.round(one.xy).astype(int).tolist()
        cv2.circle(out, (x, y), round(one.radius + beyond_px), 1, -1)
    return out
