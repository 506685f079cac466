"""Pieces that are not in play lie in heaps beside the faces: their colours are none of the table's."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial

import cv2
import numpy as np

from vision.appearance.canvas import Canvas, sun_and_shade_of
from vision.appearance.picture_light import PictureLight, PieceColours
from vision.pieces.between_faces.table_texture import SOFT_PX
from vision.pieces.likelihood_maps import COLOUR_SPREAD, MODEL_NOISE, TOP_LEVELS, over_channels

# Standard deviations (grey levels of three channels) within which a pixel has the colour of a piece's lit top. A shadow
# on one side of a grey table has that of a dark side.
ALIKE = 3.0

# A softened pixel of a piece's own rim shows the table mixed with it, and its darker side lies beside its top: so many
# pixels around it are no table.
AROUND_PX = 3 * SOFT_PX

# What is just alike on one side is just not on the other, in a little less light: so the other side is compared with
# what the one shows, so many times as bright or as dark.
UNEVEN = 1.3

# Every so many-th pixel of every so many-th row is asked: nine or more lie within what is taken away around one.
STEP = 2


def bare_ring(
    ring: np.ndarray, soft: np.ndarray, canvas: Canvas, colours: PieceColours, box_mm: np.ndarray, piece_px: float
) -> np.ndarray:
    """(H, W) bool: the pixels of `ring` (H, W) bool, around a box (2, 2) mm, that show no pieces laid beside the faces.

    What has the colour of a piece is a heap if a side of the box shows as much of it as one piece's top (`piece_px`
    pixels), and the opposite side shows neither that nor what is seen here, in the light of the sun or in the shade
    where the faces lie in both: less is noise, or the edge of a card; and a table of that colour, or with checks or
    lines of it, shows it all around. Where the picture ends beside the box that cannot be told. `soft` (H, W, 3): the
    picture softened.
    """
    rows, columns = (STEP * axis for axis in np.nonzero(ring[::STEP, ::STEP]))
    seen = soft[rows, columns]
    middle = np.broadcast_to(box_mm.mean(0), (len(colours.names), 2))
    (left, top), (right, bottom) = canvas.window.to_px(box_mm)
    across = ((columns < left, columns > right), (rows < top, rows > bottom))
    if not all(side.any() for sides in across for side in sides):
        return ring
    least = piece_px / STEP**2
    heap = np.zeros(ring.shape, np.uint8)
    two_lights = cache(partial(_two_lights, canvas))  # fitted once, and only if a side differs from the other
    for colour in canvas.light.expect(colours.array(), middle, clip=False):
        alike = _alike(seen, colour, canvas.noise)
        shown = [[int((alike & side).sum()) >= least for side in sides] for sides in across]
        for both, (one, other) in zip(shown, across, strict=True):
            if both[0] != both[1]:
                here, beyond = (one, other) if both[0] else (other, one)
                own = np.median(seen[alike & here], axis=0)
                there = [
                    _alike(seen[beyond], colour_there, canvas.noise, (1.0 / UNEVEN, UNEVEN))
                    for colour_there in (own, *_in_other_light(two_lights(), own, box_mm.mean(0)))
                ]
                both[:] = [True, max(int(one.sum()) for one in there) >= least]
        if any(map(any, shown)) and not any(map(all, shown)):
            heap[rows[alike], columns[alike]] = 1
    if not heap.any():
        return ring
    return np.asarray(ring & (cv2.dilate(heap, np.ones((2 * AROUND_PX + 1,) * 2, np.uint8)) == 0))


def _two_lights(canvas: Canvas) -> tuple[PictureLight, ...]:
    """The light of the sun and that of the shade; none where the faces of the canvas do not lie in both."""
    sun = sun_and_shade_of(canvas, is_sunny=False) if canvas.faces else None
    return () if sun is None or sun.shade is None else (sun, sun.shade)


def _in_other_light(lights: Sequence[PictureLight], seen_bgr: np.ndarray, at_mm: np.ndarray) -> list[np.ndarray]:
    """What a surface that is `seen_bgr` (3,) at `at_mm` (2,) looks like, (3,) each, in the shade if the sun falls on it
    and in the sun if not; nothing without these two `lights`."""
    seen = np.rint(seen_bgr).astype(np.uint8)
    return [other.expect(one.as_scan(seen, at_mm), at_mm) for one, other in zip(lights, lights[::-1], strict=True)]


def _alike(
    seen: np.ndarray, colour: np.ndarray, noise: float, levels: tuple[float, float] = (min(TOP_LEVELS), max(TOP_LEVELS))
) -> np.ndarray:
    """(N,) bool: which pixels (N, 3) may show what looks like `colour` (3,), such a top where it is lit, from the
    darkest to the brightest of these `levels`."""
    level = np.clip(seen @ colour / max(float(colour @ colour), 1.0), *levels)
    expected = level[:, None] * colour
    variance = (MODEL_NOISE + noise) ** 2 + (COLOUR_SPREAD * expected) ** 2
    return np.asarray(over_channels((seen - expected) ** 2 / variance) < ALIKE**2)
