"""Whether print is seen where a piece should hide it: noise and shadows on dark print are no pieces."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import cv2
import numpy as np

from vision.appearance.canvas import Canvas
from vision.appearance.print_detail import detail_between
from vision.pieces.shapes import Hypothesis

# Print is looked for between these blurs (canvas px): coarser than noise, finer than the top of a piece, 15 px.
FINE_PX, COARSE_PX = 0.9, 4.0

# Pixels farther off do not change the coarser blur.
BLURRED_PX = round(4 * COARSE_PX)

# Part of a pixel that a top must cover to hide its print, and margin of the top into which the table around it blurs.
WHOLLY, MARGIN = 0.9, np.ones((3, 3), np.uint8)

# Spread of the print's detail, in logarithms of light, from which it can be seen, and beyond which it is bold: the edge
# of a white symbol looks much like that of a white piece on it.
LEAST_DETAIL, BOLD = 0.01, 0.1


class PrintSeen:
    """The fine detail of a canvas beside that of its bare faces, in whatever light; looked for where it is asked."""

    def __init__(self, canvas: Canvas) -> None:
        self._pictures = canvas.seen, canvas.bare
        self._left = WeakKeyDictionary[Hypothesis, float]()

    def _within(self, box: tuple[slice, slice]) -> tuple[np.ndarray, np.ndarray]:
        """(h, w, 3) float32 the detail seen in a box and that of its bare faces."""
        wide = tuple(slice(max(0, side.start - BLURRED_PX), side.stop + BLURRED_PX) for side in box)
        inner = tuple(
            slice(side.start - around.start, side.stop - around.start) for side, around in zip(box, wide, strict=True)
        )
        here, wanted = (detail_between(one[wide], FINE_PX, COARSE_PX)[inner] for one in self._pictures)
        return here, wanted

    def left_for(self, one: Hypothesis, box: tuple[slice, slice]) -> float:
        """Part of the evidence for a piece in the region `box` that is left (0..1): all where no print is seen under
        its top, nothing where all of it is. The same piece is asked for again and again.

        Of pieces of two rendered rough rooms nine in ten correlated with the print by 0.36 at most, one by more than
        0.56; of 24 that were none half by 0.38 and more, a quarter by 0.61.
        """
        known = self._left.get(one)
        if known is None:
            known = self._left[one] = self._left_for(one, box)
        return known

    def _left_for(self, one: Hypothesis, box: tuple[slice, slice]) -> float:
        hidden = cv2.erode((one.top > WHOLLY).astype(np.uint8), MARGIN) > 0
        rows, columns = (slice(b.start + w.start, b.start + w.stop) for b, w in zip(box, one.where, strict=True))
        here, wanted = (m[hidden] for m in self._within((rows, columns)))
        own = float((wanted * wanted).sum())
        if not LEAST_DETAIL**2 * wanted.size < own < BOLD**2 * wanted.size:
            return 1.0
        seen = float((here * wanted).sum()) / float(np.sqrt(own * (here * here).sum() + 1e-12))
        return (1.0 - max(seen, 0.0)) ** 2
