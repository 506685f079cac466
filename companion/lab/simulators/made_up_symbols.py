"""Made-up tiles of one saturated symbol on black, and photographs of several of them in one coloured light: drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.lab.simulators.degraded import GAMMA, PHOTOGRAPH, degraded
from companion.lab.simulators.made_up_kinds import made_up_form

U8 = NDArray[np.uint8]
F64 = NDArray[np.float64]

WIDTH_PX = 160
CROP_PX = 96
FORMS = 6
COLOURS_BGR = {
    "red": (40, 35, 205),
    "orange": (35, 115, 235),
    "yellow": (45, 215, 240),
    "green": (70, 160, 40),
    "blue": (190, 95, 30),
    "purple": (150, 50, 110),
}
"""Six inks as such tiles have them, before a made-up edition shifts them: red and orange are the hardest pair."""

INK_SHIFT = 12.0  # grey levels by which an edition's inks differ from these
TINT = 0.5  # log2 of the gain of a channel against the others: from a bulb to a blue sky
DARK = (-1.2, 0.1)  # log2 of the exposure
ALIKE = 0.7  # overlap of two forms from which they are the same to the eye
GLOSS = 0.06  # most that a reflection adds to a tile, in linear light
WITHIN = 0.12  # log2 by which the exposure differs over one photograph


@dataclass(frozen=True, slots=True)
class Photograph:
    """Crops (h, w, 3) uint8 BGR of one drawn photograph, and the kinds that they show."""

    crops: tuple[U8, ...]
    kinds: tuple[str, ...]


def made_up_symbols(seed: int) -> dict[str, U8]:
    """Kind -> picture (WIDTH_PX, WIDTH_PX, 3) uint8 BGR: every form in every colour, `colour-form`."""
    rng = np.random.default_rng([seed, 17])
    ground = rng.uniform(10, 32, 3)
    inks = {name: np.clip(np.array(bgr) + rng.normal(0, INK_SHIFT, 3), 0, 255) for name, bgr in COLOURS_BGR.items()}
    out: dict[str, U8] = {}
    for number, points in enumerate(_different_forms(rng)):
        for name, ink in inks.items():
            tile = np.empty((WIDTH_PX, WIDTH_PX, 3), np.uint8)
            tile[:] = ground
            cv2.fillPoly(tile, [points], ink.tolist(), cv2.LINE_AA, shift=4)
            out[f"{name}-{number}"] = tile
    return out


def made_up_masks(seed: int) -> tuple[U8, ...]:
    """FORMS outlines alone: (WIDTH_PX, WIDTH_PX) uint8, 255 inside, smooth at the edge."""
    masks = []
    for points in _different_forms(np.random.default_rng([seed, 19])):
        mask = np.zeros((WIDTH_PX, WIDTH_PX), np.uint8)
        cv2.fillPoly(mask, [points], 255, cv2.LINE_AA, shift=4)
        masks.append(mask)
    return tuple(masks)


def _different_forms(rng: np.random.Generator) -> list[NDArray[np.int32]]:
    """Outlines of FORMS symbols, in sixteenths of px, no two of which overlap by more than ALIKE in any turn."""
    chosen: list[tuple[NDArray[np.int32], NDArray[np.bool_]]] = []
    while len(chosen) < FORMS:
        points = np.round(made_up_form(rng)(round(WIDTH_PX * 0.36)) * 16 + WIDTH_PX * 8).astype(np.int32)
        drawn = np.zeros((WIDTH_PX, WIDTH_PX), np.uint8)
        cv2.fillPoly(drawn, [points], 1, shift=4)
        inside = drawn > 0
        turns = [np.rot90(inside, k) for k in range(4)]
        if all((t & other).sum() < ALIKE * (t | other).sum() for _, other in chosen for t in turns):
            chosen.append((points, inside))
    return [points for points, _ in chosen]


def tint(rng: np.random.Generator) -> F64:
    """(3,) gains of linear light in one made-up room."""
    return np.asarray(2 ** (rng.uniform(*DARK) + rng.uniform(-TINT, TINT, 3)))


def photograph(
    kinds: dict[str, U8], names: Sequence[str], light: F64, rng: np.random.Generator, gloss: float = GLOSS
) -> Photograph:
    """A photograph in the light `light` (3,) of tiles `names` out of `kinds`, cut at the pieces' edges."""
    crops = []
    for name in names:
        near = light * 2 ** rng.uniform(-WITHIN, WITHIN)
        lit = 255 * np.clip((kinds[name] / 255.0) ** GAMMA * near, 0, 1) ** (1 / GAMMA)
        as_it_is = replace(PHOTOGRAPH, cast=0.0, exposure=0.0, shade=0.2, glare=gloss)
        crops.append(degraded(lit.astype(np.uint8), rng, as_it_is, CROP_PX, 0.0)[0])
    return Photograph(tuple(crops), tuple(names))
