"""Made-up pieces of one plain colour each, and photographs of several by cameras that turn hues: drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.lab.simulators.degraded import GAMMA
from companion.lab.simulators.made_up_symbols import Photograph

F64 = NDArray[np.float64]

CROP_PX = 48
COLOURS_BGR = {
    "red": (45, 30, 190),
    "orange": (30, 110, 230),
    "yellow": (50, 205, 225),
    "green": (75, 155, 45),
    "blue": (180, 95, 35),
    "white": (225, 230, 230),
}
"""Six plastics, before a made-up maker shifts them: red and orange are the hardest pair."""

SHIFT = 14.0  # grey levels by which a maker's colours differ from these
MIXED = 0.06  # share of another channel that a camera mixes into one, as a standard deviation
TINT = 0.15  # log2 of a channel's gain, likewise
DARK = (-1.5, 0.2)  # log2 of the exposure
WITHIN = 0.15  # log2 by which it differs from piece to piece, likewise
SHADOW, SHADOW_LOG2 = 0.2, -1.0  # share of photographs of which half the pieces lie in a shadow, and how deep it is
GLOSS = 0.03  # of a reflection, linear, likewise
FALL = 0.08  # of the light over a piece, as a share
SENSOR = 2.5  # grey levels of noise


def made_up_colours(seed: int) -> dict[str, F64]:
    """Kind -> its colour (3,), BGR in linear light."""
    rng = np.random.default_rng([seed, 37])
    drawn = {name: np.clip(np.array(bgr) + rng.normal(0, SHIFT, 3), 8, 250) for name, bgr in COLOURS_BGR.items()}
    return {name: (values / 255) ** GAMMA for name, values in drawn.items()}


def hue_turning_light(rng: np.random.Generator) -> F64:
    """(3, 3) what a made-up camera in a made-up room makes of linear colours; what is grey it only tints."""
    mixed = rng.normal(0, MIXED, (3, 3))
    np.fill_diagonal(mixed, 0)
    matrix = np.eye(3) + mixed - np.diag(mixed.sum(axis=1))
    gains = 2 ** (rng.uniform(*DARK) + rng.normal(0, TINT, 3))
    return np.asarray(gains[:, None] * matrix)


def photograph(colours: Mapping[str, F64], names: Sequence[str], light: F64, rng: np.random.Generator) -> Photograph:
    """A photograph in `light` (3, 3) of the pieces `names`, cut inside their edges."""
    crops = []
    shadow = rng.random() < SHADOW
    slope = (np.arange(CROP_PX) / CROP_PX - 0.5)[:, None, None]
    for number, name in enumerate(names):
        exposure = rng.normal(0, WITHIN) + (SHADOW_LOG2 if shadow and number % 2 else 0)
        flat = 2**exposure * (light @ colours[name]) + abs(rng.normal(0, GLOSS))
        lit = np.clip(flat * (1 + rng.normal(0, FALL) * slope * np.ones((1, CROP_PX, 1))), 0, 1)
        noisy = 255 * lit ** (1 / GAMMA) + rng.normal(0, SENSOR, lit.shape)
        crops.append(cv2.GaussianBlur(np.clip(noisy, 0, 255).astype(np.uint8), (3, 3), 0))
    return Photograph(tuple(crops), tuple(names))
