"""Light that falls unevenly on known faces: broad shadows of people and panes of sun, wider than any piece."""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.appearance.picture_light import BLACK, SATURATED

# The light is told in blocks of 2 mm: their means are hardly noisy, and print is put right in each.
BLOCK_PX = 3

# A broad light fills most of a neighbourhood of 34 mm: two pieces of 10 mm with their sides and shadows, some 500 mm2,
# fill less than half of it, so that their darkness is not taken for the room's.
AROUND_BLOCKS = 17

# Part of such a neighbourhood that must show known print for its light to be told.
LEAST_TOLD = 0.6

# Blocks over which a broad light reaches at least, hanging together: 600 mm2. Two pieces darken some 500 mm2, and at a
# face's edge or beside print that is cut off they may fill most of a neighbourhood.
LEAST_WIDE = 150

# Part of a block that must be print.
WHOLE = 0.99

# Brightnesses that are told apart, in steps of a tenth.
LEVELS = np.exp(np.arange(-13, 11) * 0.1).astype(np.float32)

# Light that differs by less is no matter: faces' own levels and the pixels' errors allow for it.
EVEN = 0.13

# An edge of light lies somewhere within so many blocks of where the blocks change; there every pixel tells its own.
EDGE_BLOCKS = 2
PIXEL_BLUR = 5

# Grey levels, and part of the level, by which print differs from what is expected of it.
SPREAD = 0.07
MODEL_NOISE = 5.0

# Every so many pixels tell the noise that is left once light is known to be uneven.
NOISE_STEP = 7


@dataclass(frozen=True, slots=True, eq=False)
class BroadLight:
    """`share` (H, W) float32: how much brighter than expected each pixel is lit, a factor of picture + 14.

    `noise`: median absolute error of the print so lit, grey levels.
    """

    share: np.ndarray
    noise: float

    def on(self, bare: np.ndarray) -> np.ndarray:
        """What is expected in even light, (H, W, 3) float32 BGR 0-255, as it is lit."""
        return np.asarray(np.clip((bare + BLACK) * self.share[..., None] - BLACK, 0.0, 255.0))

    def part(self, box: tuple[slice, slice]) -> BroadLight:
        """That on those rows and columns."""
        return replace(self, share=self.share[box])


def broad_light(
    seen: np.ndarray, bare: np.ndarray, slack: np.ndarray, known: np.ndarray, noise: float
) -> BroadLight | None:
    """How light falls on known faces, where it is uneven; None: evenly.

    `seen`, `bare`, `slack` (H, W, 3) float32: see `Canvas`; `known` (H, W) bool: pixels of faces; `noise`: of the
    light's fit. A weighted median over a neighbourhood that no piece fills: edges stay sharp.
    """
    height, width = known.shape
    size = (max(1, width // BLOCK_PX), max(1, height // BLOCK_PX))
    limit = (SATURATED - 1.0,) * 3
    usable = known & (cv2.inRange(seen, (0.0,) * 3, limit) > 0) & (cv2.inRange(bare, (0.0,) * 3, limit) > 0)
    seen_there, bare_there, slack_there, known_there = (
        cv2.resize(m[: size[1] * BLOCK_PX, : size[0] * BLOCK_PX], size, interpolation=cv2.INTER_AREA)
        for m in (seen, bare, slack, usable.astype(np.float32))
    )
    told, asked = _told(seen_there, bare_there, slack_there, known_there >= WHOLE, noise)
    median = _median(told / np.maximum(asked, 1e-6), asked, known_there)
    median[~_wide(median != 1.0)] = 1.0
    if (median == 1.0).all():
        return None
    around = np.ones((2 * EDGE_BLOCKS + 1,) * 2, np.uint8)
    low, high = (
        cv2.resize(m, (width, height), interpolation=cv2.INTER_NEAREST)
        for m in (cv2.erode(median, around), cv2.dilate(median, around))
    )
    told, asked = (cv2.blur(m, (PIXEL_BLUR, PIXEL_BLUR)) for m in _told(seen, bare, slack, usable, noise))
    own = np.where(asked > 0, told / np.maximum(asked, 1e-6), 1.0)
    found = BroadLight(np.asarray(np.clip(own, low, high), np.float32), noise)
    off = np.abs(seen - found.on(bare))[usable]
    return replace(found, noise=float(np.median(off[::NOISE_STEP])))


def _wide(uneven: np.ndarray) -> np.ndarray:
    """(h, w) bool: the uneven blocks that hang together over more than pieces and their shadows."""
    _, regions, stats, _ = cv2.connectedComponentsWithStats(uneven.astype(np.uint8), connectivity=4)
    wide = stats[:, cv2.CC_STAT_AREA] >= LEAST_WIDE
    wide[0] = False
    return np.asarray(wide[regions])


def _told(
    seen: np.ndarray, bare: np.ndarray, slack: np.ndarray, usable: np.ndarray, noise: float
) -> tuple[np.ndarray, np.ndarray]:
    """(h, w) float32 each: brightness seen and wanted of every pixel, weighted by what it tells; 0 where not usable."""
    wanted = bare + BLACK
    weight = wanted / ((MODEL_NOISE + noise) ** 2 + (SPREAD * bare) ** 2 + slack * slack)
    each = np.ones((1, 3), np.float32)
    told, asked = (np.where(usable, cv2.transform(weight * m, each), 0.0) for m in (seen + BLACK, wanted))
    return np.asarray(told, np.float32), np.asarray(asked, np.float32)


def _median(ratio: np.ndarray, weight: np.ndarray, known: np.ndarray) -> np.ndarray:
    """(h, w) float32: the weighted median of a ratio (h, w) around every block, one of LEVELS; 1 where it is
    nearly that, or too little of the neighbourhood is `known` (h, w)."""
    size = (AROUND_BLOCKS, AROUND_BLOCKS)
    half = 0.5 * cv2.blur(weight, size, borderType=cv2.BORDER_CONSTANT)
    told = (cv2.blur(known, size, borderType=cv2.BORDER_CONSTANT) >= LEAST_TOLD) & (half > 0)

    def exceeds(edge: float) -> np.ndarray:
        # (h, w) bool: where the median is more than that
        return np.asarray(cv2.blur(weight * (ratio < edge), size, borderType=cv2.BORDER_CONSTANT) < half)

    edges = np.sqrt(LEVELS[:-1] * LEVELS[1:])
    even = np.flatnonzero(np.abs(np.log(LEVELS)) < EVEN)
    if not (told & (~exceeds(edges[even[0] - 1]) | exceeds(edges[even[-1]]))).any():
        return np.ones(ratio.shape, np.float32)
    number = np.zeros(ratio.shape, np.intp)
    for edge in edges:
        number += exceeds(edge)
    uneven = told & (np.abs(np.log(LEVELS[number])) >= EVEN)
    return np.where(uneven, LEVELS[number], np.float32(1.0))
