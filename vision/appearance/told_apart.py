"""Weighs two faces that differ in little by what is left over of what is seen, beside what chance leaves over there.

How much noise, blocks of a compressed picture, gloss and worn print look like the difference is not reckoned but
looked up: in the same place, where the two faces do not differ.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.appearance.picture_light import SATURATED
from vision.blur import wide_blur
from vision.median import median

# Cameras keep brightness finer than colour, and compress both for themselves: Y, Cb and Cr of B, G, R (ITU-R BT.601).
BANDS = np.array([[0.114, 0.587, 0.299], [0.5, -0.331, -0.169], [-0.081, -0.419, 0.5]], np.float32)

EACH = np.ones((1, 3), np.float32)

# What varies over more than this (canvas px) is light, and no digit or icon.
COARSE_PX = 8.0

# Strip along the outline, and around what lies on the face, that is left out, px: both are sharpened into what is seen.
RIM_PX = 3
BESIDE = np.ones((2 * RIM_PX + 1,) * 2, np.uint8)

# Part of the greatest difference from which a pixel tells the faces apart.
TELLS = 0.2

# Part of the difference that must be shown: what is left of a digit beside a piece is in its shadow, and any digit.
MOSTLY = 0.5

# The difference is looked for up to so many px away, and not nearer than so many, to see what chance looks like.
FARTHEST_PX, NEAREST_PX = 24, 6

# Part of the difference that must be seen elsewhere, and the least number of places.
LEAST_SHOWN, LEAST_PLACES = 0.7, 50

# The median deviation of normal chance times this is its spread.
NORMAL = 1.4826

# Part of the difference by which the picture of either face may be wrong: worn print, contrast that a camera
# sharpened or smoothed away. However clear the picture, a band says no more than 0.5 / 0.4^2, three nats.
MISDRAWN = 0.4


def told_apart(seen: np.ndarray, visible: np.ndarray, wanted: Sequence[np.ndarray]) -> np.ndarray:
    """(K,) nats by which each face explains what is seen better than the first.

    `seen` (H, W, 3), 0..255: the place of the faces, upright; `visible` (H, W) bool: where nothing hides it; `wanted`:
    K pictures (H, W, 3) of what the faces look like there, as they are lit.
    """
    return np.array([0.0, *(_nats(seen, visible, wanted[0], other) for other in wanted[1:])])


def _nats(seen: np.ndarray, visible: np.ndarray, first: np.ndarray, other: np.ndarray) -> float:
    """Nats for `other` over `first`."""
    shown = cv2.erode(visible.astype(np.uint8), BESIDE) > 0
    shown[:RIM_PX], shown[-RIM_PX:], shown[:, :RIM_PX], shown[:, -RIM_PX:] = False, False, False, False
    shown &= _brightest(seen, first, other) < SATURATED
    differs = cv2.transform((other - first) ** 2, EACH)
    if differs[shown].sum() <= MOSTLY * differs.sum():
        return 0.0
    apart = _detail(other - first, shown)
    left = _detail(seen - (first + other) / 2, shown)
    return sum(_band(apart[..., k], left[..., k], shown) for k in range(len(BANDS)))


def _detail(picture: np.ndarray, shown: np.ndarray) -> np.ndarray:
    """(H, W, 3) float32: the bands of a picture without what varies slowly over what is shown; 0 elsewhere."""
    weight = shown.astype(np.float32)
    each = cv2.merge((weight, weight, weight))  # a quarter of the time of NumPy's own for a channel more
    around = wide_blur(weight, COARSE_PX) + np.float32(1e-3)
    bands = cv2.transform(picture.astype(np.float32), BANDS) * each
    return np.asarray((bands - wide_blur(bands, COARSE_PX) / cv2.merge((around, around, around))) * each)


def _brightest(*pictures: np.ndarray) -> np.ndarray:
    """(H, W): the brightest channel of each pixel in any of the pictures (H, W, 3) float32."""
    most = pictures[0]
    for picture in pictures[1:]:
        most = cv2.max(most, picture)
    blue, green, red = cv2.split(most)
    return np.asarray(cv2.max(cv2.max(blue, green), red))


def _band(apart: np.ndarray, left: np.ndarray, shown: np.ndarray) -> float:
    """Nats of one band: `apart` (H, W), the difference of the faces, in what is `left` over of their mean."""
    tells = np.abs(apart) > TELLS * np.abs(apart).max()
    y, x = np.nonzero(tells)
    if not len(y):
        return 0.0
    box = (slice(int(y.min()), int(y.max()) + 1), slice(int(x.min()), int(x.max()) + 1))
    sought = np.where(tells[box], apart[box], np.float32(0.0))
    size = float((sought * sought).sum())
    here = float((sought * left[box]).sum())
    r = FARTHEST_PX
    top, start = box[0].start, box[1].start
    mirrored = (
        cv2.copyMakeBorder(m.astype(np.float32), r, r, r, r, cv2.BORDER_REFLECT_101)[
            top : box[0].stop + 2 * r, start : box[1].stop + 2 * r
        ]
        for m in (left, shown)
    )
    found, seen = (
        cv2.matchTemplate(m, t, cv2.TM_CCORR) for m, t in zip(mirrored, (sought, sought * sought), strict=True)
    )
    elsewhere = seen > LEAST_SHOWN * size
    middle = slice(r - NEAREST_PX, r + NEAREST_PX + 1)
    elsewhere[middle, middle] = False
    if np.count_nonzero(elsewhere) < LEAST_PLACES:
        return 0.0
    chance = found[elsewhere] * np.sqrt(size / seen[elsewhere])
    spread = NORMAL * median(np.abs(chance))
    return size * here / (spread * spread + (MISDRAWN * size) ** 2)
