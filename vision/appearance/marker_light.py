"""The light of a picture from the printed markers alone, for a table on which no face was recognised."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np

from vision.appearance.picture_light import PAPER, SATURATED, PictureLight, fit_light, to_light
from vision.locate.markers import CELLS, MarkerLayout
from vision.locate.pose import TablePose

# What a flat scan of laser print shows on plain PAPER, grey levels.
INK = 24.0

# Samples lie this close to a cell's middle: away from the edges, which the camera blurs.
SPREAD_MM = 1.5

# Part of the white cells' samples cut off by the camera from which white says only "at least" how bright the light is.
# Then the edges between black and white tell it: there the camera mixes both by halves, however soft it is. In drawn
# pictures of gain 1.3 to 1.8 they told 2 to 11 % too little; in a rendered room 1.4, where white told 1.25 and the
# faces 1.45.
MOSTLY_CUT = 0.5

# Part of the samples on edges cut off by the camera, in some channel, from which these too say only "at least". In
# drawn pictures of gain 1.8 it was 0.22 at most, and the edges told a tenth too little; of 2.2 and 2.6 0.27 and more,
# and they told up to 28 % too little. In three rendered rough films with burnt-out cards it was 0.58 to 0.96.
EDGES_CUT = 0.25

# Samples in the picture by which a light is told.
LEAST_SAMPLES = 64


def light_of_markers(image: np.ndarray, pose: TablePose, layout: MarkerLayout) -> PictureLight | None:
    """The light by the black and white cells of the markers that `pose` rests on; None with too few in the picture.

    `image` (H, W, 3) uint8 BGR.
    """
    if not pose.markers:
        return None
    every = [_cells(marker, layout) for marker in pose.markers]
    grey, at, seen = _seen(image, pose, *(np.concatenate(part) for part in zip(*every, strict=True)))
    if len(grey) < LEAST_SAMPLES:
        return None
    light = fit_light(np.repeat(grey[:, None], 3, axis=1), seen, at)
    if (seen[grey == PAPER] >= SATURATED).mean() <= MOSTLY_CUT:
        return light
    edges = np.concatenate([_edges(marker, layout) for marker in pose.markers])
    _, px = _visible(image, pose, edges)
    cut_too = bool((_sampled(image, px) >= SATURATED).any(-1).mean() > EDGES_CUT)
    return replace(_by_edges(light, _seen_light(image, px)), at_least=cut_too)


def _by_edges(light: PictureLight, edges: np.ndarray) -> PictureLight:
    """The light with the gain that explains what edges show on the average, linear light (3,), where that is more than
    white told."""
    paper, ink = (float(to_light(np.array(grey))) for grey in (PAPER, INK))
    blue, green, red = np.maximum(2 * (edges - light.veil) / (paper + ink), light.gain).tolist()
    return replace(light, gain=(blue, green, red))


def _cells(marker: int, layout: MarkerLayout) -> tuple[np.ndarray, np.ndarray]:
    """What a scan shows at two places in every cell of a marker: (N,) grey levels, and (N, 2) table mm."""
    bits, middles = _bits(marker, layout), _middles_mm(layout)
    reference, places = [], []
    for row, y in enumerate(middles):
        for column, x in enumerate(middles):
            for shift in (-SPREAD_MM, SPREAD_MM):
                reference.append(PAPER if bits[row, column] else INK)
                places.append((x + shift, y + shift))
    return np.array(reference), np.array(layout.centres_mm[marker]) + np.array(places)


def _edges(marker: int, layout: MarkerLayout) -> np.ndarray:
    """(N, 2) table mm: on the edges between a black and a white cell of a marker, three places on each."""
    bits, middles = _bits(marker, layout), _middles_mm(layout)
    between = (middles[:-1] + middles[1:]) / 2
    places = [
        at
        for one, along in enumerate(middles)
        for k, across in enumerate(between)
        for shift in (-SPREAD_MM, 0.0, SPREAD_MM)
        for differ, at in (
            (bits[one, k] != bits[one, k + 1], (across, along + shift)),
            (bits[k, one] != bits[k + 1, one], (along + shift, across)),
        )
        if differ
    ]
    return np.array(layout.centres_mm[marker]) + np.array(places).reshape(-1, 2)


def _bits(marker: int, layout: MarkerLayout) -> np.ndarray:
    """(CELLS, CELLS) bool: which cells of a marker are white."""
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, layout.dictionary))
    return np.asarray(cv2.aruco.generateImageMarker(dictionary, marker, CELLS) > 0)


def _middles_mm(layout: MarkerLayout) -> np.ndarray:
    """(CELLS,) middles of a marker's cells from its own middle, across or down."""
    return np.asarray((np.arange(CELLS) - (CELLS - 1) / 2) * (layout.side_mm / CELLS))


def _visible(image: np.ndarray, pose: TablePose, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which of the places (N, 2) table mm are in the picture, (N,) bool, and where (M, 2) float32 px."""
    px = pose.project(at)
    height, width = image.shape[:2]
    visible = np.asarray(((px >= 0) & (px <= (width - 1, height - 1))).all(-1))
    return visible, px[visible].astype(np.float32)


def _seen(
    image: np.ndarray, pose: TablePose, grey: np.ndarray, at: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of samples with these grey levels (N,) at (N, 2) table mm those in the picture: grey levels, places, and what is
    seen there (M, 3)."""
    visible, px = _visible(image, pose, at)
    return grey[visible], at[visible], _sampled(image, px)


def _sampled(image: np.ndarray, px: np.ndarray) -> np.ndarray:
    """(M, 3) what is seen at places (M, 2) float32 px."""
    return cv2.remap(image, px[None, :, 0], px[None, :, 1], cv2.INTER_LINEAR)[0] if len(px) else np.empty((0, 3))


def _seen_light(image: np.ndarray, px: np.ndarray) -> np.ndarray:
    """(3,) the light that is seen at places (M, 2) px on the average, linear: cameras mix light, not its code."""
    low = np.floor(px).astype(int)
    share = px - low
    height, width = image.shape[:2]
    total = np.zeros(3)
    for right in (0, 1):
        for below in (0, 1):
            x, y = (np.minimum(low[:, k] + one, side - 1) for k, one, side in ((0, right, width), (1, below, height)))
            weight = np.abs(1 - right - share[:, 0]) * np.abs(1 - below - share[:, 1])
            total += weight @ to_light(image[y, x])
    return np.asarray(total / len(px))
