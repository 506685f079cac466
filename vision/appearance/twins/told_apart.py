"""Weighs faces that differ in little by what each leaves over of what is seen, beside noise as it hangs together there.

Near what tells two faces apart each may be seen a little otherwise than it was learnt: in another contrast, beside its
place, sharper or softer. What none of this explains is noise. Its spread, and how far it hangs together, are looked up
on the same face: blocks of a compressed picture, gloss and worn print are much alike over many pixels.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.appearance.picture_light import BLACK, SATURATED
from vision.blur import wide_blur
from vision.median import NORMAL, median

# Cameras keep brightness finer than colour, and compress both for themselves: Y, Cb and Cr of B, G, R (ITU-R BT.601).
BANDS = np.array([[0.114, 0.587, 0.299], [0.5, -0.331, -0.169], [-0.081, -0.419, 0.5]], np.float32)

EACH = np.ones((1, 3), np.float32)

# What varies over more than this (canvas px) is light, and no digit or icon.
COARSE_PX = 6.0

# Strips along the outline, and around what lies on the face, that are left out, px: both are sharpened into the print.
RIM_PX, BESIDE = 4, np.ones((5, 5), np.uint8)

# Part of the greatest difference from which a pixel tells two faces apart, how far around such pixels they are
# compared, px, and how many there must be.
TELLS, AROUND, LEAST_TELLING = 0.2, np.ones((7, 7), np.uint8), 5

# Part of the difference that must be shown: what is left of a digit beside a piece is in its shadow, and any digit.
MOSTLY = 0.5

# Gloss, shadows and soft pictures leave print of a face this part of its contrast; sharpening adds to it.
CONTRAST = (0.1, 2.0)

# How much (one spread) the print near a difference may have another contrast than that of the whole face, in each band,
# may lie beside its place, px, and differ from the face's blur, in parts of what a blur of 1 px takes away.
OTHER_CONTRAST, ASIDE_PX, SOFTER = 0.15, 0.5, 0.6

# Noise hangs together over so many px at most. A band's spread is at least so much, in logarithms of light.
TOGETHER_PX, LEAST_SPREAD = 8, 0.002

# The spread is told by every so many pixels. What is left over beyond so many spreads is a thing's edge or a glint.
TOLD_BY, OUTLYING = 5, 3.0

# A camera's noise is of so many grey levels, dark or bright: in logarithms of light it is the less the brighter a pixel
# is. Of 79 faces of painted tallies in bad rooms the spread fell with brightness, blurred so far (px), as its power of
# -1.0 to -1.2 in each band (medians). And more is left over where print is steep, told in blurs of so many px: colours
# of a mosaic and of compressed blocks fringe it. Both are told in so many parts of a face, each as large.
BRIGHTNESS_PX, STEEP_PX, PARTS = 1.5, (0.8, 1.0), 6

# Print leaves at least this part of the spread where it is least steep.
LEAST_SHARE = 0.3


def told_apart(seen: np.ndarray, visible: np.ndarray, wanted: Sequence[np.ndarray]) -> np.ndarray:
    """(K,) nats by which each face explains what is seen better than the first.

    `seen` (H, W, 3), 0..255: the place of the faces, upright; `visible` (H, W) bool: where nothing hides it; `wanted`:
    K pictures (H, W, 3) of what the faces look like there, fully lit.
    """
    shown = cv2.erode(visible.astype(np.uint8), BESIDE) > 0
    shown[:RIM_PX], shown[-RIM_PX:], shown[:, :RIM_PX], shown[:, -RIM_PX:] = False, False, False, False
    # red print in too much light is clipped in one channel only: the others still tell its digits
    seen, *clipped = (np.minimum(picture, np.float32(SATURATED)) for picture in (seen, *wanted))
    shown &= ~_within(seen, SATURATED, SATURATED)
    out = np.zeros(len(wanted))
    if np.count_nonzero(shown) < LEAST_TELLING:
        return out
    weight = shown.astype(np.float32)
    here, first, *others = _details([seen, *clipped], weight)
    contrast = float(np.clip((here * first).sum() / max(float((first * first).sum()), 1e-9), *CONTRAST))
    left = here - contrast * first
    noise = _Noise(left, 1.0 / _spread(left, seen, first, shown), shown)
    for k, other in enumerate(others, start=1):
        differs, told = (cv2.transform((each[k] - each[0]) ** 2, EACH) for each in (wanted, clipped))
        if told[shown].sum() > MOSTLY * differs.sum():
            out[k] = noise.nats(here, contrast * first, contrast * other, shown)
    return out


def _spread(left: np.ndarray, seen: np.ndarray, print_bands: np.ndarray, shown: np.ndarray) -> np.ndarray:
    """(H, W, 3) float32: the spread in each band of what is `left` over (H, W, 3) where a face is as bright as each of
    its pixels, `seen` (H, W, 3) 0..255, and its print, (H, W, 3), as steep; told by what is `shown`, (H, W) bool."""
    level = cv2.GaussianBlur(cv2.transform(seen, EACH / 3), (0, 0), BRIGHTNESS_PX)
    spread = NORMAL * _usual(np.abs(left), level, shown) + np.float32(LEAST_SPREAD)
    soft = cv2.GaussianBlur(np.ascontiguousarray(print_bands[..., 0]), (0, 0), STEEP_PX[0])
    across, down = (cv2.Scharr(soft, -1, *way, scale=1 / 32) for way in ((1, 0), (0, 1)))
    steep = cv2.GaussianBlur(cv2.magnitude(across, down), (0, 0), STEEP_PX[1])
    share = NORMAL * _usual(np.abs(left) / spread, steep, shown)
    return np.asarray(spread * np.maximum(share, np.float32(LEAST_SHARE)))


def _usual(values: np.ndarray, by: np.ndarray, shown: np.ndarray) -> np.ndarray:
    """(H, W, 3) float32: the median of values (H, W, 3) of pixels that are like each by a measure of them, (H, W)."""
    told, at = values[shown][::TOLD_BY], by[shown][::TOLD_BY]
    parts = np.array_split(np.argsort(at, kind="stable"), min(PARTS, len(at)))
    usual = [float(at[part].mean()) for part in parts]
    bands = [np.interp(by, usual, [median(told[part, k]) for part in parts]) for k in range(values.shape[-1])]
    return np.asarray(np.stack(bands, axis=-1), np.float32)


class _Noise:
    """What no face explains, in its spreads."""

    def __init__(self, left: np.ndarray, by_spread: np.ndarray, shown: np.ndarray) -> None:
        """`left` (H, W, 3): what is left over of what is `shown`, (H, W) bool; `by_spread` (H, W, 3): 1 / `_spread`."""
        self._by_spread = by_spread
        weight, left = shown.astype(np.float32), np.clip(left * by_spread, -OUTLYING, OUTLYING) * shown[..., None]
        pairs = np.maximum(_with_itself(weight), 1.0)
        self._alike = [_with_itself(np.ascontiguousarray(left[..., band])) / pairs for band in range(len(BANDS))]

    def nats(self, here: np.ndarray, first: np.ndarray, other: np.ndarray, shown: np.ndarray) -> float:
        """Nats for `other` over `first` (H, W, 3), of what is seen `here` and `shown`."""
        apart = (other - first) * self._by_spread
        least = TELLS * float(np.abs(apart).max())
        tells = ~_within(apart, -least, least) & shown
        if np.count_nonzero(tells) < LEAST_TELLING:
            return 0.0
        near = (cv2.dilate(tells.astype(np.uint8), AROUND) > 0) & shown
        x, y, width, height = cv2.boundingRect(near.astype(np.uint8))
        box = slice(max(y - 2, 0), y + height + 2), slice(max(x - 2, 0), x + width + 2)
        near, here, apart, by_spread = (each[box] for each in (near, here, apart, self._by_spread))
        alike = self._observations(np.where(near[..., None], apart, np.float32(0.0)))
        own, rival = (_misfit(here, face[box], near, by_spread, alike) for face in (first, other))
        return 0.5 * (own - rival)

    def _observations(self, apart: np.ndarray) -> float:
        """How many pixels and bands of noise count as one where it looks like a difference `apart` (H, W, 3)."""
        size = float((apart * apart).sum())
        chance = sum(
            float((cv2.filter2D(each, -1, alike, borderType=cv2.BORDER_CONSTANT) * each).sum())
            for each, alike in zip(cv2.split(apart), self._alike, strict=True)
        )
        return max(chance / size, 1.0)


def _within(picture: np.ndarray, low: float, high: float) -> np.ndarray:
    """(H, W) bool: where every channel of a picture (H, W, 3) is in such a range."""
    return np.asarray(cv2.inRange(picture, (low,) * 3, (high,) * 3) > 0)


def _with_itself(picture: np.ndarray) -> np.ndarray:
    """(2 * TOGETHER_PX + 1,) * 2: the sum of products of a picture (H, W) with itself at each distance."""
    r = TOGETHER_PX
    around = cv2.copyMakeBorder(picture, r, r, r, r, cv2.BORDER_CONSTANT)
    return np.asarray(cv2.matchTemplate(around, picture, cv2.TM_CCORR))


def _misfit(here: np.ndarray, face: np.ndarray, near: np.ndarray, by_spread: np.ndarray, alike: float) -> float:
    """Twice the nats against a face, seen as it fits best, with what it takes to see it so; `alike` pixels count as
    one. `by_spread`: see `_Noise`."""
    softer = cv2.GaussianBlur(face, (0, 0), 1.0) - face
    across, down = (cv2.Scharr(face, -1, *way, scale=1 / 32) for way in ((1, 0), (0, 1)))
    by_spread = by_spread[near]
    left = (here - face)[near] * by_spread
    bands = face[near] * by_spread
    ways = np.zeros((len(BANDS) + 3, *left.shape), np.float32)
    for band in range(len(BANDS)):
        ways[band, :, band] = OTHER_CONTRAST * bands[:, band]
    ways[-3:] = ASIDE_PX * across[near], ASIDE_PX * down[near], SOFTER * softer[near]
    ways[-3:] *= by_spread
    flat, left = ways.reshape(len(ways), -1), left.reshape(-1)
    precision = flat @ flat.T / alike + np.eye(len(ways))
    along = flat @ left / alike
    taken = np.linalg.solve(precision, along)
    return float(left @ left / alike - along @ taken + np.linalg.slogdet(precision)[1])


def _details(pictures: Sequence[np.ndarray], weight: np.ndarray) -> list[np.ndarray]:
    """(H, W, 3) float32 each: the bands of the logarithm of pictures' light without what varies slowly over what is
    shown, `weight` (H, W), 0 elsewhere."""
    around = wide_blur(weight, COARSE_PX) + np.float32(1e-3)
    # a quarter of the time of NumPy's own for a channel more
    weight, around = cv2.merge((weight, weight, weight)), cv2.merge((around, around, around))
    out = []
    for picture in pictures:
        light = cv2.log(np.maximum(picture, 0).astype(np.float32) + np.float32(BLACK))
        bands = cv2.transform(light, BANDS) * weight
        out.append((bands - wide_blur(bands, COARSE_PX) / around) * weight)
    return out
