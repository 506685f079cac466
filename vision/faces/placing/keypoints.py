"""Where learnt pictures lie in a crop, by points of print that both show: at any angle and size, partly covered too."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

MOST_POINTS = 400  # of a picture
LEAST_CONTRAST = 0.02  # pale print counts: half of what SIFT takes by default
FINER = 1.5  # pictures are looked at so many times enlarged, for fine print
LONG_PX = (120, 200)  # longer side to which crops are brought that are smaller, or larger
ALIKE = 0.8  # product of two descriptors of length one from which they may be of one point
LEAST = 3  # points that must agree
AWAY = 0.02  # share of the piece's side by which points of one piece may be off
ROUNDS = 500  # of random choice


@dataclass(frozen=True, slots=True)
class Supported:
    """Picture `number` may lie where `to_crop` (3, 3) brings its px in the crop: `points` of its print agree."""

    number: int
    to_crop: F64
    points: int

    def corners(self, size_wh: tuple[int, int]) -> F64:
        """Corners (4, 2) px in the crop of a picture of `size_wh`, clockwise from its top left."""
        w, h = size_wh
        own = np.array([[0, 0, 1], [w, 0, 1], [w, h, 1], [0, h, 1]]) - (0.5, 0.5, 0)
        return np.asarray((own @ self.to_crop.T)[:, :2])


class KeypointIndex:
    """Points of `pictures` (T, h, w, 3) float32 in 0..1; they are looked for when first asked for."""

    def __init__(self, pictures: F32) -> None:
        self.pictures = pictures

    @cached_property
    def _learnt(self) -> list[tuple[F32, F32]]:
        """Of every picture the places (N, 2) px of its points and their descriptors (N, 128)."""
        return [_points(np.asarray(np.round(p * 255), np.uint8), FINER) for p in self.pictures]

    def supported(self, crop_bgr: U8) -> list[Supported]:
        """Pictures of which points agree with `crop_bgr` (h, w, 3) uint8 under one shift, turn and size; most first."""
        long_px = max(crop_bgr.shape[:2])
        places, crop_descriptors = _points(crop_bgr, float(np.clip(long_px, *LONG_PX)) / long_px)
        h, w = self.pictures.shape[1:3]
        found = []
        for number, (own, descriptors) in enumerate(self._learnt):
            if min(len(own), len(places)) < LEAST:
                continue
            likeness = crop_descriptors @ descriptors.T
            best = likeness.argmax(axis=1)
            pairs = np.flatnonzero(likeness.max(axis=1) > ALIKE)
            if len(pairs) < LEAST:
                continue
            # Searched in px of the picture, of which the size is known: whatever the size of the piece in the crop.
            from_crop, agree = cv2.estimateAffinePartial2D(
                places[pairs], own[best[pairs]], ransacReprojThreshold=AWAY * (w * h) ** 0.5, maxIters=ROUNDS
            )
            if from_crop is None or abs(np.linalg.det(from_crop[:, :2])) < 1e-6:
                continue
            points = len({int(k) for k in best[pairs[agree.ravel() > 0]]})
            if points >= LEAST:
                found.append(Supported(number, np.linalg.inv(np.vstack([from_crop, (0, 0, 1)])), points))
        return sorted(found, key=lambda one: -one.points)


def _points(picture_bgr: U8, scale: float) -> tuple[F32, F32]:
    """Places (N, 2) px of the points of a picture looked at in another size, and descriptors (N, 128) of length one."""
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    sized = cv2.resize(picture_bgr, None, fx=scale, fy=scale, interpolation=way)
    sift = cv2.SIFT.create(nfeatures=MOST_POINTS, contrastThreshold=LEAST_CONTRAST)
    points, descriptors = sift.detectAndCompute(sized, None)
    if descriptors is None:
        return np.zeros((0, 2), np.float32), np.zeros((0, 128), np.float32)
    # Square roots of histograms compare better than these themselves (Arandjelovic and Zisserman, 2012).
    rooted = np.sqrt(descriptors / np.maximum(descriptors.sum(axis=1, keepdims=True), 1e-6))
    places = (np.array([p.pt for p in points], np.float32) + np.float32(0.5)) / np.float32(scale) - np.float32(0.5)
    return places, np.asarray(rooted, np.float32)
