"""Where the light comes from: the shadows of pieces found first tell it, and then where any piece's shadow must lie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import product

import cv2
import numpy as np

from vision.appearance.canvas import Canvas, Window
from vision.appearance.placed_face import PX_PER_MM
from vision.pieces.likelihood_maps import (
    COLOUR_SPREAD,
    CORRELATED_PX,
    DARKEST_SHADOW,
    LIT,
    MODEL_NOISE,
    WORST_BARE,
    inner_pixels,
    over_channels,
    pixels_at,
    shadowed_fit,
)
from vision.pieces.shapes import disc, swept

# A pixel lies in a shadow with this probability where no known piece casts one, and is lit with it where one does.
SHADOW_ODDS = 0.1

# What the pixels of a shadow say for the piece that casts it counts by so much: they repeat each other.
BELIEVED = 0.5

# Standard deviation of a shadow's edge, canvas px: lamps are not points.
SOFT_PX = 2.0

# Lights that are tried: mm of shadow per mm of height, from straight above to 23 degrees up, and what is added to
# that per mm over the table: a lamp at infinity, at 1.6 m and at 0.8 m.
DIRECTIONS = 24
LENGTHS = (0.12, 0.25, 0.4, 0.6, 0.85, 1.15, 1.5, 1.9, 2.4)
GROWTHS = (0.0, 1 / 1600, 1 / 800)

# Pieces whose shadows are examined, the surest first.
TELLING = 10

# Every other direction and length is tried first; from the best the search goes on to its neighbours, so often at most.
MOST_STEPS = 8

# Evidence (nats) of all shadows together from which a light is believed. So many pieces without shadows are lit from
# above, or from everywhere.
LEAST_EVIDENCE = 10.0
FEWEST = 2


@dataclass(frozen=True, slots=True)
class CastLight:
    """A light: mm of shadow per mm of height (x, y) at the table's origin, and what is added to it per mm from it."""

    slope: tuple[float, float]
    growth: float

    def reach_mm(self, xy_mm: np.ndarray, height_mm: float) -> np.ndarray:
        """(..., 2) mm from the feet of pieces at `xy_mm` (..., 2) to where the shadows of their tops fall."""
        return (np.array(self.slope) + self.growth * np.asarray(xy_mm)) * height_mm


FROM_ABOVE = CastLight((0.0, 0.0), 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class Shadows:
    """What a canvas says of shadows: `gain` (H, W) nats by which a pixel speaks for a shadow of a piece falling there
    and not for none, and the light that casts them."""

    gain: np.ndarray
    light: CastLight

    def part(self, where: tuple[slice, slice]) -> Shadows:
        """Those of a part of the canvas."""
        return replace(self, gain=self.gain[where])


def shadow_gain(canvas: Canvas, inner: np.ndarray | None = None) -> np.ndarray:
    """(H, W) float32 nats by which every pixel of a canvas speaks for a piece's shadow on it; 0 beside faces.
    `inner`: the canvas' `inner_pixels`, where they are known."""
    known = np.flatnonzero(inner_pixels(canvas) if inner is None else inner)
    bare, seen, slack = (pixels_at(picture, known) for picture in (canvas.bare, canvas.seen, canvas.slack))
    noise = MODEL_NOISE + canvas.noise
    precision = 1.0 / (noise * noise + (COLOUR_SPREAD * bare) ** 2 + slack * slack)
    lit = -0.5 * over_channels((seen - bare) ** 2 * precision)
    shade = over_channels(bare * seen * precision) / np.maximum(over_channels(bare * bare * precision), 1e-3)
    shade = np.clip(shade, DARKEST_SHADOW, LIT)[:, None]
    dark = shadowed_fit(seen, bare, slack, shade, noise)
    few, many = np.log(SHADOW_ODDS), np.log(1.0 - SHADOW_ODDS)
    without = np.maximum(np.maximum(lit + many, dark + few), -WORST_BARE)
    within = np.maximum(np.maximum(lit + few, dark + many), -WORST_BARE)
    gain = np.zeros(canvas.label.shape, np.float32)
    gain.reshape(-1)[known] = within - without
    return gain


def find_light(
    gain: np.ndarray, window: Window, feet_mm: Sequence[tuple[float, float]], side_mm: float, height_mm: float
) -> CastLight | None:
    """The light whose shadows of round pieces of this size explain most; None with too few pieces to tell.

    `gain` (H, W): see `shadow_gain`, zero where pieces hide what is below. `feet_mm`: of the pieces, surest first.
    """
    half = cv2.resize(gain, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    feet = np.array(feet_mm[:TELLING], float).reshape(-1, 2)
    most = (half.shape[1] - 1, half.shape[0] - 1)
    feet_px = np.clip(np.round(window.to_px(feet) / 2.0), 0, most).astype(int).tolist()
    padded: dict[int, np.ndarray] = {}

    def beside(x: int, y: int, reach: int) -> np.ndarray:
        """(2 reach + 1, 2 reach + 1) gain padded a pixel, 0 outside of what is seen."""
        if reach not in padded:
            padded[reach] = cv2.copyMakeBorder(half, reach, reach, reach, reach, cv2.BORDER_CONSTANT, value=0)
        return padded[reach][y : y + 2 * reach + 1, x : x + 2 * reach + 1]

    @cache
    def evidence(light: CastLight) -> float:
        total = 0.0
        for (x, y), reach in zip(feet_px, light.reach_mm(feet, height_mm) * PX_PER_MM / 2, strict=True):
            cast = cast_mask(side_mm * PX_PER_MM / 2, reach, SOFT_PX / 2)
            total += float(np.vdot(beside(x, y, len(cast) // 2), cast))
        return total * 4.0 * BELIEVED / CORRELATED_PX

    def light(length: int, direction: int, growth: int) -> CastLight:
        angle, reach = 2 * np.pi * direction / DIRECTIONS, LENGTHS[length]
        return CastLight((float(reach * np.cos(angle)), float(reach * np.sin(angle))), GROWTHS[growth])

    tried = ((length, direction, 1) for length in range(0, len(LENGTHS), 2) for direction in range(0, DIRECTIONS, 2))
    best = max(tried, key=lambda at: evidence(light(*at)))
    steps = list(product((-1, 0, 1), repeat=3))
    for _ in range(MOST_STEPS):
        around = [(best[0] + i, (best[1] + j) % DIRECTIONS, best[2] + k) for i, j, k in steps]
        inside = [at for at in around if 0 <= at[0] < len(LENGTHS) and 0 <= at[2] < len(GROWTHS)]
        found = max(inside, key=lambda at: evidence(light(*at)))
        if found == best:
            break
        best = found
    if evidence(light(*best)) > LEAST_EVIDENCE:
        return light(*best)
    return FROM_ABOVE if len(feet) >= FEWEST else None


def cast_mask(side_px: float, reach_px: np.ndarray, soft_px: float = SOFT_PX) -> np.ndarray:
    """(S, S) float32: part of the light that a round piece takes from each pixel around its foot, its foot too.

    `reach_px` (2,): from the foot to where the shadow of the top falls. `soft_px`: standard deviation of its edge.
    """
    return _drawn(round(side_px, 1), round(float(reach_px[0])), round(float(reach_px[1])), soft_px)


@lru_cache(maxsize=4096)
def _drawn(side_px: float, x: int, y: int, soft_px: float) -> np.ndarray:
    half = int(np.ceil(side_px / 2 + max(abs(x), abs(y)) + 2 * soft_px))
    mask = np.zeros((2 * half + 1,) * 2, np.float32)
    outline = swept(disc(side_px), np.array([x, y]))
    cv2.fillConvexPoly(mask, np.round((outline + half) * 16).astype(np.int32), 1.0, cv2.LINE_8, 4)
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), soft_px), np.float32)
