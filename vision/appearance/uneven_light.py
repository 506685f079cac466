"""Light that differs within one face: half of a person's shadow, the rim of a lamp's cone, gloss over a corner."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from vision.appearance.picture_light import BLACK, LEAST_LIGHT, SATURATED, from_light, to_light

# Pixels of a face that tell its light: every third of every third row, which is what neighbours add to each other.
STRIDE = 3

# How far light usually differs within a face: brightness in its middle and from edge to edge, and gloss as a part of
# white. What lies on a face covers less of it than such light does, and hardly moves surfaces so stiff.
SHADE_SD, TILT_SD, GLOSS_SD = 0.4, 0.3, 0.15

# Sun and the light of the sky differ in colour, and coloured things throw light back: a part of blue and red, far less
# than what would make another face of a face.
CAST_SD = 0.08

# Grey levels, and part of the level, by which print differs from what is expected of it.
NOISE, SPREAD = 5.0, 0.05

ROUNDS = 6

# Part of a face that must not be cut off by the camera for its light to be told.
LEAST_USABLE = 0.5

# Nats by which a face must be explained better for its light to be taken for uneven: ten times what ACCEPTED asks for a
# piece, so that no piece is explained away by light.
WORTH = 80.0

# Part of the light that shade leaves at least, and sun adds at most.
LEAST, MOST = 0.25, 3.0


@dataclass(frozen=True, slots=True, eq=False)
class UnevenLight:
    """seen = (shade + cast) wanted + gloss tint, in linear light. `shade` (3,): 1, x, y; `gloss` (6,): 1, x, y, xx, xy,
    yy with x, y from -1 to 1 across the face, below 0 where the picture's veil is not seen; `cast` (3,): what blue,
    green and red have more; `tint` (3,): BGR of the light.
    """

    shade: np.ndarray
    gloss: np.ndarray
    cast: np.ndarray
    tint: np.ndarray

    def on(self, wanted: np.ndarray, xy: np.ndarray) -> np.ndarray:
        """What is seen where even light would show `wanted` (N, 3) BGR 0-255 at places (N, 2) of the face: (N, 3)."""
        shade = np.clip((_linear(xy) @ self.shade)[:, None] + self.cast, LEAST, MOST)
        through = to_light(wanted) * shade + (_square(xy) @ self.gloss)[:, None] * self.tint
        return np.asarray(np.clip(from_light(np.maximum(through, LEAST_LIGHT)), 0.0, 255.0), np.float32)


    def on_piece(self, wanted: np.ndarray, xy: np.ndarray) -> np.ndarray:
        """The same for what stands there and does not gloss: colours (N, 3) 0-255 at places (N, 2), not cut off."""
        shade = np.clip((_linear(xy) @ self.shade)[:, None] + self.cast, LEAST, MOST)
        return np.asarray(from_light(np.maximum(to_light(wanted) * shade, LEAST_LIGHT)))


def fit_uneven(
    wanted: np.ndarray, seen: np.ndarray, xy: np.ndarray, tint: np.ndarray, noise: float
) -> UnevenLight | None:
    """The light that turns `wanted` (N, 3) into `seen` (N, 3), BGR 0-255, at places (N, 2) of a face, -1 to 1.

    None when even light explains them as well, or nearly. `tint` (3,): linear BGR of the picture's light; `noise`: of
    the picture, grey levels. Robust Gauss-Newton on grey levels (Cauchy weights) with a prior: pieces count little.
    """
    usable = (seen < SATURATED).all(-1) & (wanted < SATURATED).all(-1)
    if usable.mean() < LEAST_USABLE:
        return None  # what the camera cut off tells no light
    wanted, seen, xy = wanted[usable], seen[usable].astype(np.float64), xy[usable]
    flat = to_light(wanted).astype(np.float64)
    tint = tint / tint.mean()
    shaded, glossed = flat[:, :, None] * _linear(xy)[:, None], tint[:, None] * _square(xy)[:, None]
    cast = flat[:, :, None] * np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0]])
    design = np.concatenate([shaded, glossed, cast], axis=-1)
    prior = np.diag(1.0 / np.array([SHADE_SD, TILT_SD, TILT_SD, *[GLOSS_SD] * 6, CAST_SD, CAST_SD]) ** 2)
    found, even, now = np.zeros(design.shape[-1]), 0.0, 0.0
    for number in range(ROUNDS + 1):
        through = np.maximum(flat + design @ found, LEAST_LIGHT)
        shown = from_light(through)
        spread = NOISE + noise + SPREAD * (shown + BLACK)
        off = (seen - shown) / spread
        now = _cost(off, spread) + 0.5 * float(found @ prior @ found)
        if number == 0:
            even = now
        if number == ROUNDS:
            break
        steep = ((shown + BLACK) / (2.4 * through) / spread)[:, :, None] * design  # d picture / d linear light
        steep = steep.reshape(-1, len(found))
        weighed = steep / (1.0 + off.reshape(-1, 1) ** 2)
        step = weighed.T @ off.ravel() - prior @ found
        found = found + np.linalg.solve(weighed.T @ steep + prior, step)
    if even - now < WORTH:
        return None
    return UnevenLight(
        found[:3] + np.array([1.0, 0.0, 0.0]), found[3:9], np.array([found[9], 0.0, found[10]]), tint
    )


def _cost(off: np.ndarray, spread: np.ndarray) -> float:
    """Nats of errors in standard deviations, levelling off as the Cauchy weights do."""
    return 0.5 * float(np.log1p(off * off).sum()) + float(np.log(spread).sum())


def _linear(xy: np.ndarray) -> np.ndarray:
    return np.column_stack([np.ones(len(xy)), xy])


def _square(xy: np.ndarray) -> np.ndarray:
    x, y = xy.T
    return np.column_stack([np.ones(len(xy)), x, y, x * x, x * y, y * y])
