"""The light of a picture from printed pieces nothing is known of: most have plain paper, and some of them full ink."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.appearance.marker_light import INK
from vision.appearance.picture_light import PAPER, PictureLight, fit_light

# Side of the picture a piece is looked at in: a pixel of it is several of the camera's, whose noise would else be
# taken for the brightest and the darkest print.
SIDE_PX = 48

# Share of a piece that is taken for paper, and of all pieces that is taken for ink: a digit or an icon covers more.
SHARE = 0.02

# Grey level of the brightest print, so many times that of the darkest: 3.5 in an overexposed picture. Less is plain
# faces, which say nothing of the light.
LEAST_CONTRAST = 2.0

# Median by which the brightest print of the pieces may miss paper in the light so told, grey levels. Faces with paper:
# 1 to 5 (rendered boxes, their batches of two included); dark or coloured ones, each with its own brightest: 8 to 25.
AGREED = 6.0

# A camera shows paper in at least half of the light of a scan's: what is darker is no paper.
LEAST_GAIN = 0.5


def light_of_print(pieces: Sequence[np.ndarray], places_mm: Sequence[np.ndarray]) -> PictureLight | None:
    """The light in which the brightest print of most pieces is paper, and the darkest of all is ink.

    `pieces`: cut out, (H, W, 3) uint8 BGR each; `places_mm`: (H, W, 2) each, where their pixels lie on the table. None
    where the faces do not agree on what paper looks like: many boxes have none. Less sure than markers.
    """
    if not pieces:
        return None
    colours = np.stack([_small(piece).reshape(-1, 3) for piece in pieces])
    places = np.stack([_small(place.astype(np.float32)).reshape(-1, 2) for place in places_mm])
    # no face need have black: a colour's ink is as dark in the channel that it swallows, and a veil is gray
    least = colours.min(axis=-1)
    many = max(1, round(SHARE * least.shape[1]))
    brightest = np.argsort(least, axis=1, kind="stable")[:, -many:, None]
    paper = np.take_along_axis(colours, brightest, axis=1).reshape(-1, 3)
    darkest = np.argsort(least, axis=None, kind="stable")[: len(paper)]
    ink = np.repeat(least.reshape(-1)[darkest, None], 3, axis=1)
    if np.median(paper) < LEAST_CONTRAST * np.median(ink):
        return None
    at = np.take_along_axis(places, brightest, axis=1).reshape(-1, 2)
    levels = np.repeat(np.repeat([PAPER, INK], len(paper))[:, None], 3, axis=1)
    light = fit_light(levels, np.concatenate([paper, ink]), np.concatenate([at, places.reshape(-1, 2)[darkest]]))
    apart = np.abs(light.expect(np.full(paper.shape, PAPER, np.float32), at) - paper).max(axis=1)
    return light if np.median(apart) <= AGREED and min(light.gain) >= LEAST_GAIN else None


def _small(picture: np.ndarray) -> np.ndarray:
    return np.asarray(cv2.resize(picture, (SIDE_PX, SIDE_PX), interpolation=cv2.INTER_AREA))
