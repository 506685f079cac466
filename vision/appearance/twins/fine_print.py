"""Weighs faces that differ in little by the fine detail of their print alone, in whatever light falls on it."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.appearance.picture_light import SATURATED
from vision.appearance.print_detail import detail_between
from vision.median import NORMAL, median

# A digit's strokes are a pixel or two wide: finer than what lies between these blurs (canvas px) is noise, coarser is
# light. Of (0.5, 4), (0.7, 3), (0.7, 4), (0.7, 6) and (0.9, 5) these told most tiles of eight rendered rough rooms.
FINE_PX, COARSE_PX = 0.7, 3.0

# Gloss, shadows and soft pictures leave print this part of its contrast; sharpening adds to it.
MOST_CONTRAST = 2.0

# So many pixels and channels count as one observation: noise is blurred as print is, and much alike in all channels.
CORRELATED = 10.0

# Spreads of what is left over beyond which a pixel shows no print, but a thing's edge or a glint.
OUTLYING = 3.0

# Spread of the detail, in logarithms of light, that is left over of the best pictures.
LEAST_SPREAD = 0.001

# The spread is told by every so many pixels.
TOLD_BY = 5

# Strip along the outline that is left out, px.
RIM_PX = 3

# What lies on print changes the detail of the print so near to it.
HALO = np.ones((2 * round(COARSE_PX) + 1,) * 2, np.uint8)


def print_of(picture: np.ndarray) -> np.ndarray:
    """(H, W, 3) float32: the detail of a picture (H, W, 3), 0..255, that faces are told apart by."""
    return detail_between(picture, FINE_PX, COARSE_PX)


class FinePrint:
    """The fine detail seen where a face lies."""

    def __init__(self, seen: np.ndarray, visible: np.ndarray) -> None:
        """`seen` (H, W, 3), 0..255: the place of the face, upright; `visible` (H, W) bool: where nothing hides it."""
        usable = cv2.erode(visible.astype(np.uint8), HALO)[..., None].astype(bool) & (seen < SATURATED)
        usable[:RIM_PX], usable[-RIM_PX:], usable[:, :RIM_PX], usable[:, -RIM_PX:] = False, False, False, False
        self.usable = usable
        self.here = print_of(seen)[usable]

    def likeness(self, detail: np.ndarray) -> float:
        """Correlation (-1..1) with the `print_of` what a face looks like: greatest in the sharpness of the picture."""
        own = detail[self.usable]
        return float(own @ self.here) / float(np.sqrt((own @ own) * (self.here @ self.here)) + LEAST_SPREAD**2)

    def evidence(self, details: Sequence[np.ndarray]) -> np.ndarray:
        """(K,) nats by which each face explains what is seen better than the likeliest one.

        `details`: the `print_of` what each of K faces looks like in that light and sharpness. Only pixels in which
        faces differ say anything, each as much as they differ beside what print leaves unexplained.
        """
        if not self.here.size:
            return np.zeros(len(details))
        each = np.stack([one[self.usable] for one in details])
        own = np.einsum("kn,kn->k", each, each) + LEAST_SPREAD**2
        along = each @ self.here
        best = int(np.argmax(along / np.sqrt(own)))
        contrast = float(np.clip(along[best] / own[best], 0.0, MOST_CONTRAST))
        left = self.here - contrast * each[best]
        spread = max(float(median(np.abs(left[::TOLD_BY]))) * NORMAL, LEAST_SPREAD)
        left = np.clip(left, -OUTLYING * spread, OUTLYING * spread)
        apart = contrast * (each - each[best])
        gain = apart @ left - 0.5 * np.einsum("kn,kn->k", apart, apart)
        return np.asarray(gain / (spread * spread * CORRELATED), np.float64)
