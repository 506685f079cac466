"""What in a picture of the table is neither table nor a known thing: told by the look of the picture's rim."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.appearance.background import common_looks, is_rough, like_samples
from vision.appearance.placed_face import grey

# Width of the small picture that is judged: a tile of 5 % of the width is 12 px wide there.
WIDTH = 240

# Part of the picture along its edges that shows bare table.
RIM = 0.1

# As beside the grid, and brighter: a lamp lights the middle of the table more than the rim.
SHADES = (0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.25)

# Pixels of the rim that all others are compared with.
SAMPLES = 300

# A look of less than this part of the rim is none of the table's: half of a mug there is a hundredth of it. Three mugs
# of tea had the red of two tiles, which were then taken for table; of 16 tallies the same is table from 0.03 to 0.08.
LEAST_OF_RIM = 0.05

# Known things are taken this much larger: their shadows and edges are no leftovers.
GROWN = 1.22


class LeftoverJudge:
    """Judges a picture (H, W, 3) uint8 BGR in which `known` quadrilaterals (4, 2) px are accounted for."""

    def __init__(self, image: np.ndarray, known: Sequence[np.ndarray]) -> None:
        self.size_px = (image.shape[1], image.shape[0])
        self.scale = WIDTH / image.shape[1]
        size = (WIDTH, round(image.shape[0] * self.scale))
        small = cv2.resize(image, size, interpolation=cv2.INTER_AREA).astype(np.float32)
        self.known = [np.asarray(k, float) for k in known]
        inside = np.zeros(small.shape[:2], np.uint8)
        for corners in self.known:
            middle = corners.mean(0)
            cv2.fillConvexPoly(inside, self._points(middle + (corners - middle) * GROWN), 1)
        self.around = inside
        rim = np.ones(small.shape[:2], bool)
        edge_y, edge_x = round(RIM * size[1]), round(RIM * size[0])
        rim[edge_y:-edge_y, edge_x:-edge_x] = False
        samples = small[rim & (inside == 0)]
        samples = common_looks(samples[:: max(1, len(samples) // SAMPLES)], LEAST_OF_RIM)
        strange = ~like_samples(small, samples, SHADES)
        level = grey(small)
        mean, square = cv2.blur(level, (5, 5)), cv2.blur(level * level, (5, 5))
        texture = np.sqrt(np.maximum(square - mean * mean, 0.0))
        strange |= is_rough(texture, texture[rim & (inside == 0)])
        self.strange = strange
        self.left = cv2.morphologyEx(
            (strange & (inside == 0)).astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)
        )

    def _points(self, px: np.ndarray) -> np.ndarray:
        return np.asarray(np.round((px + 0.5) * self.scale - 0.5).astype(np.int32))

    def share(self, corners_px: np.ndarray) -> float:
        """Part of a quadrilateral (4, 2) px that looks unlike the table."""
        mask = np.zeros(self.strange.shape, np.uint8)
        cv2.fillConvexPoly(mask, self._points(corners_px), 1)
        return float(self.strange[mask > 0].mean()) if mask.any() else 0.0

    def hides(self, each_px: Sequence[np.ndarray], share: float) -> bool:
        """Whether most of such quadrilaterals (4, 2) px would not be seen here: less than `share` of each looks unlike
        the table. A chequered cloth in a lamp's light and shade has the colours of many things."""
        return bool(np.median([self.share(corners) for corners in each_px]) < share)

    def in_picture(self) -> np.ndarray:
        """(H, W) uint8: 255 where the picture shows something left over."""
        return self._whole(self.left)

    def around_known(self) -> np.ndarray:
        """(H, W) uint8: 255 where a known thing lies, or so near that its edge and shadow do."""
        return self._whole(self.around)

    def _whole(self, small: np.ndarray) -> np.ndarray:
        return np.asarray(cv2.resize(small * np.uint8(255), self.size_px, interpolation=cv2.INTER_NEAREST))
