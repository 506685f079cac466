"""The light of a picture from the printed markers alone, for a table on which no face was recognised."""

from __future__ import annotations

import cv2
import numpy as np

from vision.appearance.picture_light import PAPER, PictureLight, fit_light
from vision.locate.markers import CELLS, MarkerLayout
from vision.locate.pose import TablePose

# What a flat scan of laser print shows on plain PAPER, grey levels.
INK = 24.0

# Samples lie this close to a cell's middle: away from the edges, which the camera blurs.
SPREAD_MM = 1.5


def light_of_markers(image: np.ndarray, pose: TablePose, layout: MarkerLayout) -> PictureLight | None:
    """The light by the black and white cells of the markers that `pose` rests on; None with too few in the picture.

    `image` (H, W, 3) uint8 BGR.
    """
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, layout.dictionary))
    cell_mm = layout.side_mm / CELLS
    middles = (np.arange(CELLS) - (CELLS - 1) / 2) * cell_mm
    reference, places = [], []
    for marker in pose.markers:
        bits = cv2.aruco.generateImageMarker(dictionary, marker, CELLS)
        for row, y in enumerate(middles):
            for column, x in enumerate(middles):
                for shift in (-SPREAD_MM, SPREAD_MM):
                    reference.append(PAPER if bits[row, column] else INK)
                    places.append(np.array(layout.centres_mm[marker]) + np.array([x + shift, y + shift]))
    if not places:
        return None
    at = np.array(places)
    px = pose.project(at)
    height, width = image.shape[:2]
    visible = ((px >= 0) & (px <= (width - 1, height - 1))).all(-1)
    if visible.sum() < 64:
        return None
    px = px[visible].astype(np.float32)
    seen = cv2.remap(image, px[None, :, 0], px[None, :, 1], cv2.INTER_LINEAR)[0]
    grey = np.array(reference)[visible]
    return fit_light(np.repeat(grey[:, None], 3, axis=1), seen, at[visible])
