"""A picture that flat pieces are drawn on, in units of the piece: polygons, shapes and text without a system font."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.shapes import Points, Shape

Rgb = tuple[int, int, int]
"""Red, green, blue, 0..255."""

Picture = NDArray[np.uint8]
"""(H, W, 3) uint8, BGR."""

_SHIFT = 4  # sub-pixel bits of OpenCV's polygon filler
CAPITALS = 0.7  # height of capitals in OpenCV's built-in fonts, as a share of the nominal size


class Sheet:
    """A picture of `size` (width, height) in any unit, `px_per_unit` px a unit, drawn on in that unit from top left."""

    def __init__(self, size: tuple[float, float], px_per_unit: float, ground: Rgb) -> None:
        self.scale = px_per_unit
        width, height = (round(side * px_per_unit) for side in size)
        self.pixels: Picture = np.full((height, width, 3), ground[::-1], np.uint8)

    def fill(self, points: Points, colour: Rgb) -> None:
        """Fill a closed polygon (N, 2)."""
        cv2.fillPoly(self.pixels, [self._corners(points)], colour[::-1], cv2.LINE_AA, _SHIFT)

    def shape(self, shape: Shape, xy: tuple[float, float], size: float, ink: Rgb, ground: Rgb) -> None:
        """Draw a shape of half-size `size` around `xy`."""
        for layer in shape:
            self.fill(layer.points * size + xy, ink if layer.ink else ground)

    def text(
        self, text: str, xy: tuple[float, float], height: float, colour: Rgb, *, font: str = "sans", weight: int = 700
    ) -> None:
        """Write `text` centred on `xy`; `height` is the height of its capitals."""
        face = cv2.FontFace(font)
        size = int(height * self.scale / CAPITALS)
        box = cv2.getTextSize(self.pixels.shape[1::-1], text, (0, 0), face, size, weight=weight)
        origin = (int(xy[0] * self.scale - box[0] - box[2] / 2), int((xy[1] + height / 2) * self.scale))
        cv2.putText(self.pixels, text, origin, colour[::-1], face, size, weight=weight)

    def blend(self, polygons: Iterable[Points], colour: Rgb, share: float) -> None:
        """Lay polygons over the picture with opacity `share`."""
        above = self.pixels.copy()
        for polygon in polygons:
            cv2.fillPoly(above, [self._corners(polygon)], colour[::-1], cv2.LINE_AA, _SHIFT)
        self.pixels = cv2.addWeighted(above, share, self.pixels, 1 - share, 0)

    def _corners(self, points: Points) -> NDArray[np.int32]:
        return np.round(points * self.scale * (1 << _SHIFT)).astype(np.int32)
