"""How much of a lamp a table mirrors around a piece: its light lies on the piece's colour like a veil."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.count.appearance.looks import PieceLook, usual_light

Floats = NDArray[np.float64]

AROUND = (1.15, 1.6)  # of a piece's radius: table that mirrors what the piece mirrors
# Linear light between a table's strongest and weakest channel: of a grey table nobody knows what is lamp.
LEAST_COLOUR = 0.05
HALF = 0.5  # of a piece's weakest channel: more of it is the lamp's own light than its colour's
LEAST = 0.03  # linear light: less of it leaves black black, and a table's own stains look so
LEAST_PART = 0.1  # of a piece's strongest channel: any gloss reflects so much, and names allow for it


def table_light(picture: NDArray[np.uint8], table: NDArray[np.bool_]) -> Floats:
    """(3,) usual linear BGR of a table, by a picture (H, W, 3) uint8 and where it shows nothing else (H, W)."""
    return usual_light(picture[table])


def veil(picture: NDArray[np.uint8], outline: Floats, usual: Floats) -> float:
    """The white light 0..1 that is added to a table (3,) linear BGR around an outline (N, 2) px; 0 where it is only lit
    brighter or darker, which leaves the shares of its channels as they are.
    """
    middle = outline.mean(axis=0)
    reach = middle + AROUND[1] * (outline - middle)
    low = np.maximum(np.floor(reach.min(axis=0)).astype(int), 0)
    high = np.ceil(reach.max(axis=0)).astype(int) + 1
    crop = picture[low[1] : high[1], low[0] : high[0]]
    ring = np.zeros(crop.shape[:2], np.uint8)
    for share, value in ((AROUND[1], 1), (AROUND[0], 0)):
        cv2.fillPoly(ring, [np.round(middle + share * (outline - middle) - low).astype(np.int32)], value)
    colour = float(np.ptp(usual))
    if not ring.any() or colour < LEAST_COLOUR:
        return 0.0
    light = usual_light(crop[ring > 0])
    return max(0.0, float((light - usual * np.ptp(light) / colour).min()))


def is_veiled(piece_bgr: tuple[float, float, float], light: float) -> bool:
    """Whether a piece is named by a lamp's light 0..1 as much as by its own colour, by what it shows (3,) linear BGR.
    What shows less than half of that light in some channel does not mirror it, whatever lies on the table around it.
    """
    weakest, strongest = min(piece_bgr), max(piece_bgr)
    return light > max(LEAST, LEAST_PART * strongest) and HALF * light < weakest < light / HALF


def veil_of(look: PieceLook, light: float) -> float:
    """The light 0..1 of a lamp by which a piece may be named; 0 where it is named by its own colour."""
    return light if is_veiled(look.inner_bgr, light) else 0.0


def without_veil(look: PieceLook, light: float) -> PieceLook:
    """The look of a piece without a lamp's white light 0..1."""

    def bare(bgr: tuple[float, float, float]) -> tuple[float, float, float]:
        blue, green, red = (max(0.0, channel - light) for channel in bgr)
        return blue, green, red

    return replace(
        look,
        inner_bgr=bare(look.inner_bgr),
        ring_bgr=bare(look.ring_bgr),
        edge_bgr=None if look.edge_bgr is None else bare(look.edge_bgr),
        rings=tuple(bare(ring) for ring in look.rings),
    )
